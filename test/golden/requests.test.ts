import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadShipped } from '../../src/dialects/shipped.ts';
import { shippedStages } from '../../src/dialects/stages/shipped-stages.ts';
import { GOLDEN_NAMES, goldenRun } from '../requests/golden-runs.ts';
import { goldenFiles, toolsFile } from '../requests/golden-text.ts';
import { recordRun } from '../requests/record-run.ts';

const FOLDER = join(import.meta.dirname, 'requests');

/** Workflows that only run below others, and the alias of one. */
const BELOW = new Set(['attempt', 'ballot', 'map_item', 'quest_step', 'relay_leg', 'architect']);

// A failure here is a changed prompt: record with `node test/golden/record-requests.ts`, and read the difference.
describe('golden requests', () => {
  test.each(GOLDEN_NAMES)('[A3] the requests of %s are those that were recorded', async (name) => {
    const recorded = await recordRun(await goldenRun(name));
    expect(recorded.rest).toMatchObject({ outcome: 'ok', failure: null });
    const files = goldenFiles(recorded);
    const known = readdirSync(join(FOLDER, name)).map((file) => [file, readFileSync(join(FOLDER, name, file), 'utf8')]);
    expect(Object.fromEntries(files)).toEqual(Object.fromEntries(known));
  });

  test('[A3] the built-in tools are those that were recorded', () => {
    expect(toolsFile()).toBe(readFileSync(join(FOLDER, 'tools.md'), 'utf8'));
  });

  test('[A3] every shipped workflow has its requests recorded', async () => {
    const { workflows } = await loadShipped();
    const whole = [...workflows, ...shippedStages()].map(({ name }) => name).filter((name) => !name.includes('/'));
    const missing = whole.filter((name) => !GOLDEN_NAMES.includes(name) && !BELOW.has(name));
    expect(missing).toEqual([]);
  });
});

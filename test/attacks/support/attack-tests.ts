import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { knownSandbox } from '../../../src/sandbox/testing/known-sandbox.ts';
import { hold, missingFor, trials } from './attack.ts';
import type { Attack } from './attack.ts';

/** Tests of attacks, each at every level that promises to withstand it. */
export async function attackTests(attacks: readonly Attack[]): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'attack-scratch-'));
  afterAll(() => rmSync(scratch, { recursive: true, force: true }));
  const found = await knownSandbox(scratch);
  const named = trials(attacks).map((trial) => [trial.name, trial] as const);
  test.for(named)('%s', async ([, trial], context) => {
    const missing = missingFor(trial, found);
    if (missing !== null) context.skip(missing);
    await expect(hold(trial, found)).resolves.toBeUndefined();
  });
}

import { existsSync, mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { writeFiles } from '../../workspace/testing/test-project.ts';
import { pruneCaches } from './prune-runs.ts';

const DAY = 86_400_000;
const now = Date.now();
let home = '';

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'caches-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  writeFiles(home, {
    'setup/old/made/0/a': 'x'.repeat(9000),
    'setup/old/list.json': '[]',
    'setup/new/list.json': '[]',
  });
  writeFiles(home, { 'setup/old.unfinished-1-x/made/0': '', 'knowledge/old.db': 'x', 'knowledge/new.db': 'x' });
  const then = new Date(now - 31 * DAY);
  for (const path of ['setup/old', 'setup/old.unfinished-1-x', 'knowledge/old.db'])
    utimesSync(join(home, path), then, then);
});

test('[U1] caches of setup commands and searches are removed when unused for 30 days', async () => {
  const dry = await pruneCaches(home, { now, isDry: true });
  expect(dry.entries).toBe(3);
  expect(existsSync(join(home, 'setup/old/made/0/a'))).toBe(true);
  expect(await pruneCaches(home, { now, isDry: false })).toEqual(dry);
  expect(readdirSync(join(home, 'setup'))).toEqual(['new']);
  expect(readdirSync(join(home, 'knowledge'))).toEqual(['new.db']);
  expect(dry.bytes).toBeGreaterThan(9000);
});

test('[U1] where nothing was ever left there is nothing to remove', async () => {
  expect(await pruneCaches(join(home, 'nowhere'), { now, isDry: false })).toEqual({ entries: 0, bytes: 0 });
});

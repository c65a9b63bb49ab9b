import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const DIST = join(import.meta.dirname, '../../dist');

/** They are started for every run: reading and compiling the engine once more takes longer than most scripts. */
test.each(['worker.js', 'module-worker.js'])('[L8] the built thread %s loads no other file of Troupe', (name) => {
  const text = readFileSync(join(DIST, name), 'utf8');
  expect(text).toMatch(/node:worker_threads/);
  expect(text.match(/(?:from|import)\s*\(?["'`]\.[^"'`]*/g) ?? []).toEqual([]);
});

import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createSandbox, jsonLines } from '../cli/sandbox.ts';

test('[PD1] [Q9] the example two_in_parallel.ts merges one after the other, and its conflict goes back to the second agent', async () => {
  const sandbox = createSandbox();
  cpSync(join(import.meta.dirname, '../../examples'), sandbox.project, { recursive: true });
  const result = await sandbox.troupe(['run', 'two_in_parallel.ts', 'a birthday', '--json']);
  expect(result.code).toBe(0);
  expect(jsonLines(result.stdout).at(-1)).toMatchObject({ outcome: 'ok', output: 'Trout with lentils has both.' });
  const shown = await sandbox.troupe(['diff', 'last']);
  expect(shown.stdout).toContain('+trout with lentils');
  // Nothing of the user's is touched until it is asked for.
  expect(readFileSync(join(sandbox.project, 'menu.txt'), 'utf8')).toBe('soup\nfish\ncake\n');
});

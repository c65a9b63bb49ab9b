import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scriptedProject } from './projects.ts';
import { root } from './sandbox.ts';

interface StartUp {
  /** Modules of Node. */
  readonly builtins: readonly string[];
  readonly modules: readonly string[];
  readonly files: readonly string[];
  readonly programs: readonly string[];
}

/** What one process loads, reads and starts for the second run of two steps in a project without a repository. */
async function startUp(): Promise<StartUp> {
  const project = scriptedProject();
  await project.start(['run', 'two_steps', 'Go.', '--json']).ended;
  const record = join(project.home, 'start-up.json');
  const preload = `--import=${join(root, 'test/cli/start-up-recorder.mjs')}`;
  const environment = { NODE_OPTIONS: preload, TROUPE_START_UP: record };
  const { ended } = project.start(['run', 'two_steps', 'Go.', '--json'], { environment });
  const { code } = await ended;
  expect(code).toBe(0);
  return JSON.parse(readFileSync(record, 'utf8')) as StartUp;
}

test('[U1] a run of two steps loads, reads and starts only what it needs', async () => {
  const { files, programs } = await startUp();
  expect(programs).toEqual([]);
  expect(files.filter((file) => file.startsWith(join(root, 'assets')))).toEqual([]);
  expect(files.filter((file) => file.startsWith('/usr/bin/'))).toEqual([]);
});

import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemProgram } from '../../src/lib/process-tree.ts';
import { writingProject } from './file-projects.ts';
import { PROGRAM } from './sandbox.ts';

/** The project lies on a small disk that is full; it has room again before the run is resumed. */
const SCRIPT = `
mount -t tmpfs -o size=1m tmpfs "$1" || exit 77
cp -R "$2"/. "$1" && cd "$1" || exit 78
head -c 2000000 /dev/zero > ballast 2>/dev/null
"$3" "$4" run two_steps x --apply; echo "run: $?"
test -e src/made.txt && echo "written"
rm ballast
"$3" "$4" resume last; echo "resume: $?"
cat src/made.txt
"$3" "$4" resume last; echo "again: $?"
`;

test('[R1] [C40] where the project is on a full disk, the run names it and fails, and resume delivers once there is room', (context) => {
  const sandbox = writingProject();
  const disk = join(sandbox.home, '../disk');
  mkdirSync(disk);
  const words = ['-Urm', 'sh', '-c', SCRIPT, 'sh', disk, sandbox.project, process.execPath, PROGRAM];
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: sandbox.home,
    TROUPE_HOME: sandbox.home,
    TROUPE_SANDBOX: 'none',
  };
  const { status, stdout, stderr, error } = spawnSync(systemProgram('unshare'), words, { encoding: 'utf8', env });
  if (error !== undefined || status === 77 || /unshare/.test(stderr))
    context.skip('a small disk cannot be mounted here');
  expect(stderr).toContain('DISK_FULL: The result was not delivered: There is no space left for');
  expect(stderr).not.toContain('INTERNAL');
  const lines = stdout.split('\n').filter((line) => line !== 'Done.' && line !== '');
  expect(lines).toEqual(['run: 1', 'resume: 0', 'made by the run', 'and changed again', 'again: 2']);
}, 60_000);

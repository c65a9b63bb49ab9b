import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, type TestContext } from 'vitest';
import { systemProgram } from '../../src/lib/process-tree.ts';
import { writingProject } from './file-projects.ts';
import { ASK_THEN_WORK, scriptedProject } from './projects.ts';
import { PROGRAM, type Sandbox } from './sandbox.ts';

/** Runs a shell script with a small disk as `$DISK`; `troupe` is the program. */
function onSmallDisk(context: TestContext, sandbox: Sandbox, script: string, home = sandbox.home) {
  const disk = diskOf(sandbox);
  mkdirSync(disk);
  const whole = `mount -t tmpfs -o size=3m tmpfs "$DISK" || exit 77
troupe() { "$NODE" "$PROGRAM" "$@"; }
cd "$PROJECT"
${script}`;
  const { status, stdout, stderr, error } = spawnSync(systemProgram('unshare'), ['-Urm', 'sh', '-c', whole], {
    encoding: 'utf8',
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: home,
      TROUPE_HOME: home,
      TROUPE_SANDBOX: 'none',
      DISK: disk,
      PROJECT: sandbox.project,
      NODE: process.execPath,
      PROGRAM,
    },
  });
  if (error !== undefined || status === 77 || /unshare/.test(stderr))
    context.skip('a small disk cannot be mounted here');
  return { stdout, stderr, lines: stdout.split('\n').filter((line) => line !== '') };
}

const diskOf = (sandbox: Sandbox): string => join(sandbox.home, '../disk');

/** The project lies on a disk that is full; it has room again before the run is resumed. */
const FULL_PROJECT = `
cp -R . "$DISK" && cd "$DISK" || exit 78
head -c 9999999 /dev/zero > ballast 2>/dev/null
troupe run two_steps x --apply; echo "run: $?"
test -e src/made.txt && echo "written"
rm ballast
troupe resume last; echo "resume: $?"
cat src/made.txt
troupe resume last; echo "again: $?"
`;

test('[R1] [C40] where the project is on a full disk, the run names it and fails, and resume delivers once there is room', (context) => {
  const { lines, stderr } = onSmallDisk(context, writingProject(), FULL_PROJECT);
  expect(stderr).toContain('DISK_FULL: The result was not delivered: There is no space left for');
  expect(stderr).not.toContain('INTERNAL');
  expect(lines.filter((line) => line !== 'Done.')).toEqual([
    'run: 1',
    'resume: 0',
    'made by the run',
    'and changed again',
    'again: 2',
  ]);
}, 60_000);

/** Troupe's home lies on the disk. A command of the agent fills it, so the next record finds no room. */
const FULL_HOME = `
troupe run asking.ts > /dev/null; echo "run: $?"
troupe answer last red; echo "answer: $?"
rm "$DISK/ballast"
troupe resume last; echo "resume: $?"
troupe logs last --json | grep -c '"kind":"call.answered"'
troupe run asking.ts > /dev/null; echo "run: $?"
head -c 9999999 /dev/zero > "$DISK/ballast" 2>/dev/null
troupe answer last red; echo "answer: $?"
rm "$DISK/ballast"
troupe list --json | grep -o '"status":"[a-z]*"'
`;

test('[R1] [L3] a full disk of the journal pauses the run with what to do, and resume repeats nothing', (context) => {
  const sandbox = scriptedProject({ 'asking.ts': ASK_THEN_WORK });
  sandbox.write(
    'answers.yaml',
    `rules:
  - when: { state: work }
    steps:
      - tools: [{ name: execute_terminal, arguments: { command: "head -c 9999999 /dev/zero > '${diskOf(sandbox)}/ballast'; true" } }]
      - Written.
`,
  );
  const { lines, stderr } = onSmallDisk(context, sandbox, FULL_HOME, diskOf(sandbox));
  expect(lines).toEqual([
    'run: 3',
    // Paused for a person, who has to free space.
    'answer: 3',
    'Written.',
    'resume: 0',
    '2',
    'run: 3',
    // The answer was not taken: the run still waits.
    'answer: 1',
    '"status":"waiting"',
    '"status":"settled"',
  ]);
  expect(stderr).toMatch(
    /The run is paused, JOURNAL_FULL: There is no space left for the journal in \S+\nhint: Free some space there\. .* troupe resume \w+\n/,
  );
  expect(stderr).toContain('troupe: JOURNAL_FULL: There is no space left for the journal');
  expect(stderr).not.toContain('INTERNAL');
}, 60_000);

import { execFileSync } from 'node:child_process';
import { lstatSync, readFileSync, readlinkSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { gitProject, writingProject, writingRun } from './file-projects.ts';
import { jsonLines, type Sandbox } from './sandbox.ts';

/** Things that no workspace can hold, and links that lead away. */
function withOddities(sandbox: Sandbox): Sandbox {
  for (const name of ['odd.fifo', 'src/odd.fifo']) execFileSync('mkfifo', [join(sandbox.project, name)]);
  symlinkSync('/etc/hostname', join(sandbox.project, 'away'));
  symlinkSync('../../elsewhere', join(sandbox.project, 'src/above'));
  return sandbox;
}

const SKIPPED = {
  count: 2,
  some: [
    { path: 'odd.fifo', why: 'special' },
    { path: 'src/odd.fifo', why: 'special' },
  ],
};

for (const [kind, make] of [
  ['a plain folder', writingProject],
  ['a git project', gitProject],
] as const) {
  test(`[SM11] [U1] in ${kind} what no workspace holds is reported once, when the run starts and whenever one asks`, async () => {
    const sandbox = withOddities(make());
    const printed = await sandbox.troupe(['run', 'two_steps', 'Write it']);
    expect(
      printed.stderr.match(/Left out of the workspaces: 2 special files: odd\.fifo, src\/odd\.fifo/g),
    ).toHaveLength(1);
    expect((await sandbox.troupe(['show', 'last'])).stdout).toContain(
      'left out  2 special files: odd.fifo, src/odd.fifo',
    );
    const { stdout } = await sandbox.troupe(['show', 'last', '--json']);
    const { files } = JSON.parse(stdout) as { readonly files: { readonly skipped: unknown } };
    expect(files.skipped).toEqual(SKIPPED);
  });

  test(`[PH7] in ${kind} applying and rolling back leave special files and links that lead away as they are`, async () => {
    const sandbox = withOddities(make());
    const { run, code, stdout } = await writingRun(sandbox, '--apply');
    expect(code).toBe(0);
    const started = jsonLines(stdout).find((line) => JSON.stringify(line).includes('"skipped"'));
    expect(started).toMatchObject({ kind: 'run.started', files: { skipped: SKIPPED } });
    expect(jsonLines(stdout).at(-2)).toMatchObject({
      kind: 'result.applied',
      changes: [{ path: 'src/kept.txt' }, { path: 'src/made.txt' }],
      cautions: [],
    });
    expectOddities(sandbox);
    expect((await sandbox.troupe(['rollback', run, '--yes'])).code).toBe(0);
    expectOddities(sandbox);
  });
}

function expectOddities({ project }: Sandbox): void {
  for (const name of ['odd.fifo', 'src/odd.fifo']) expect(lstatSync(join(project, name)).isFIFO()).toBe(true);
  expect(readlinkSync(join(project, 'away'))).toBe('/etc/hostname');
  expect(readlinkSync(join(project, 'src/above'))).toBe('../../elsewhere');
}

const MAKING = `
rules:
  - when: { state: start }
    steps:
      - tools:
          - { name: write_file, arguments: { path: big.txt, content: "${'x'.repeat(200)}" } }
          - { name: write_file, arguments: { path: small.txt, content: small } }
      - say: Done.
  - reply: Done.
`;

test('[C40] [PH7] a file over workspaces.largest_file that a run makes is reported at the merge, and a rollback keeps it', async () => {
  const sandbox = writingProject({ 'answers.yaml': MAKING });
  sandbox.write('.troupe/config.yaml', `${sandbox.read('.troupe/config.yaml')}\nworkspaces: { largest_file: 199 }\n`);
  const { run } = await writingRun(sandbox);
  const applied = await sandbox.troupe(['deliver', run, '--apply']);
  expect(applied).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('big.txt: not brought along: larger than workspaces.largest_file'),
  });
  const { stdout } = await sandbox.troupe(['show', run, '--json']);
  const { folder } = JSON.parse(stdout) as { readonly folder: string };
  const rolledBack = await sandbox.troupe(['rollback', run, '--yes']);
  expect(rolledBack.stderr).toContain('big.txt stays in the workspace main: larger than workspaces.largest_file');
  expect(readFileSync(join(folder, 'big.txt'), 'utf8')).toBe('x'.repeat(200));
});

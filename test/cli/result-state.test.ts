import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { resultAs } from '../../src/core/look/result-state.ts';
import { git, gitProject, writingProject, writingRun } from './file-projects.ts';
import { jsonLines, type Sandbox } from './sandbox.ts';

/** A check that fails and prints more lines than are shown. */
const RED = 'seq 1 60; echo "FAIL sum.test.ts > adds"; exit 7';

interface Shown {
  readonly list: string;
  readonly show: string;
  readonly json: readonly unknown[];
}

/** The status of a run on every face of the terminal. */
async function shown(sandbox: Sandbox, run: string): Promise<Shown> {
  const text = async (...words: readonly string[]) => (await sandbox.troupe(words)).stdout;
  const { items: listed } = JSON.parse(await text('list', '--json')) as {
    readonly items: readonly { readonly result?: unknown }[];
  };
  const view = JSON.parse(await text('show', run, '--json')) as { readonly result?: unknown };
  const metrics = JSON.parse(await text('metrics', run, '--json')) as {
    readonly runs: { readonly result?: unknown }[];
  };
  const watched = jsonLines(await text('watch', run, '--json')).at(-1);
  return {
    list: /(\S+ · .*?)  +two_steps/.exec(await text('list'))?.[1] ?? '',
    show: /^status +(.*)$/m.exec(await text('show', run))?.[1] ?? '',
    json: [listed[0]?.result, view.result, metrics.runs[0]?.result, watched?.['result']],
  };
}

const everywhere = (text: string, result: object): Shown => ({
  list: text,
  show: text,
  json: [result, result, result, result],
});

test('[L4] a refused result is not shown as ok, and a result that waits or was taken is shown as that', async () => {
  const sandbox = gitProject();
  const { run, stdout } = await writingRun(sandbox, '--verify', RED);
  expect(jsonLines(stdout).at(-1)).toMatchObject({ kind: 'run.settled', result: { kind: 'not-verified' } });
  expect(await shown(sandbox, run)).toEqual(everywhere('ok · not verified', resultAs('not-verified')));
  await sandbox.troupe(['deliver', run, '--verify', 'true']);
  const branch = resultAs('branch', { where: `troupe/${run}` });
  expect(await shown(sandbox, run)).toEqual(everywhere(`ok · in branch troupe/${run}`, branch));
  const merged = await sandbox.troupe(['deliver', run, '--apply', '--json']);
  expect(await shown(sandbox, run)).toEqual(everywhere('ok · applied', resultAs('applied')));
  const { undoTo } = JSON.parse(merged.stdout) as { readonly undoTo: number };
  await sandbox.troupe(['rollback', run, '--to', String(undoTo), '--files', '--yes']);
  expect(await shown(sandbox, run)).toEqual(everywhere('ok · changes wait', resultAs('waiting')));
});

test('[L4] a result that was taken as not verified stays marked', async () => {
  const sandbox = gitProject();
  const { run } = await writingRun(sandbox, '--verify', RED);
  await sandbox.troupe(['deliver', run, '--unverified']);
  const branch = resultAs('branch', { where: `troupe/${run}`, isUnverified: true });
  expect(await shown(sandbox, run)).toEqual(everywhere(`ok · in branch troupe/${run}, not verified`, branch));
  await sandbox.troupe(['deliver', run, '--unverified', '--apply']);
  const applied = resultAs('applied', { isUnverified: true });
  expect(await shown(sandbox, run)).toEqual(everywhere('ok · applied, not verified', applied));
});

test('[R1] a branch that the user merged or deleted by hand is noticed on every face', async () => {
  const sandbox = gitProject();
  const { run } = await writingRun(sandbox);
  const where = `troupe/${run}`;
  git(sandbox, 'merge', '-q', where);
  expect(await shown(sandbox, run)).toEqual(everywhere('ok · merged', resultAs('merged', { where })));
  git(sandbox, 'branch', '-D', where);
  expect(await shown(sandbox, run)).toEqual(everywhere('ok · branch deleted', resultAs('branch-gone', { where })));
  expect((await sandbox.troupe(['show', run])).stdout).not.toContain('waits on the branch');
});

test('[L4] `show` and `logs` print the end of what a refused check printed', async () => {
  const sandbox = writingProject();
  const { run } = await writingRun(sandbox, '--verify', RED);
  const { stdout: show } = await sandbox.troupe(['show', run]);
  expect(show).toMatch(/^check +.*seq 1 60.*$/m);
  expect(show).toContain('It ended with 7.');
  expect(show).toContain('FAIL sum.test.ts > adds');
  expect(show).not.toMatch(/^ +30$/m);
  expect(show).toMatch(/^ +59$/m);
  const { stdout: logs } = await sandbox.troupe(['logs', run]);
  expect(logs).toMatch(/^30$/m);
  expect(logs).toContain('FAIL sum.test.ts > adds');
});

test('[R1] a refused apply leaves the result on its branch, and a merge of that branch by hand is noticed', async () => {
  const sandbox = gitProject();
  const { run } = await writingRun(sandbox);
  const where = `troupe/${run}`;
  const refused = await sandbox.troupe(['deliver', run, '--apply', '--verify', 'false']);
  expect(refused.code).not.toBe(0);
  expect(await shown(sandbox, run)).toEqual(everywhere(`ok · in branch ${where}`, resultAs('branch', { where })));
  git(sandbox, 'merge', '-q', where);
  expect(await shown(sandbox, run)).toEqual(everywhere('ok · merged', resultAs('merged', { where })));
});

test('[R1] a patch that the user deleted by hand is noticed on every face', async () => {
  const sandbox = writingProject();
  const { run } = await writingRun(sandbox);
  await sandbox.troupe(['deliver', run, '--patch', 'changes.patch']);
  const where = join(sandbox.project, 'changes.patch');
  expect(await shown(sandbox, run)).toEqual(everywhere('ok · in a patch', resultAs('patch', { where })));
  rmSync(where);
  expect(await shown(sandbox, run)).toEqual(everywhere('ok · patch deleted', resultAs('patch-gone', { where })));
});

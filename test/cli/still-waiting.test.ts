import { expect, test, vi } from 'vitest';
import { runId } from '../../src/core/model/ids.ts';
import { openSqliteJournal } from '../../src/journal/sqlite/sqlite-journal.ts';
import { ASKING, scriptedProject } from './projects.ts';
import { jsonLines, type Sandbox } from './sandbox.ts';

async function asked(): Promise<{ readonly sandbox: Sandbox; readonly run: string }> {
  const sandbox = scriptedProject({ 'asking.ts': ASKING });
  const { stdout } = await sandbox.troupe(['run', 'asking.ts', '--json']);
  return { sandbox, run: String(jsonLines(stdout)[0]?.['run']) };
}

const recordsOf = async (sandbox: Sandbox, run: string): Promise<readonly unknown[]> =>
  jsonLines((await sandbox.troupe(['logs', run, '--json'])).stdout);

test('[U1] an answer that does not fit is rejected before the run is taken over', async () => {
  const { sandbox, run } = await asked();
  const before = await recordsOf(sandbox, run);
  for (const detach of [[], ['--detach']]) {
    const refused = await sandbox.troupe(['answer', run, 'green', ...detach]);
    expect(refused).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('ANSWER_INVALID') });
    expect(refused.stderr).not.toContain('resumed');
  }
  expect(await recordsOf(sandbox, run)).toEqual(before);
  expect(await sandbox.troupe(['answer', run, 'RED'])).toMatchObject({ code: 0, stdout: 'red\n' });
});

test('[L10] resuming a run that only waits for an answer says so, and writes no record', async () => {
  const { sandbox, run } = await asked();
  const before = await recordsOf(sandbox, run);
  const resumed = await sandbox.troupe(['resume', run]);
  expect(resumed).toMatchObject({ code: 3, stdout: '' });
  expect(resumed.stderr).toBe(
    `troupe: RUN_WAITS: Run ${run} waits for an answer to q1: Which colour?\nhint: Answer it: troupe answer ${run} q1 red   # or: blue\n`,
  );
  const json = await sandbox.troupe(['resume', run, '--json']);
  expect([json.code, jsonLines(json.stdout)]).toMatchObject([
    3,
    [{ kind: 'run.waiting', status: 'waiting', question: { name: 'q1' }, next: expect.any(Array) }],
  ]);
  expect(await recordsOf(sandbox, run)).toEqual(before);
});

test('[L10] resuming a run that waits still changes its terms, and lets a paused one wait on', async () => {
  const { sandbox, run } = await asked();
  expect((await sandbox.troupe(['resume', run, '--verify', 'true'])).code).toBe(3);
  expect(await recordsOf(sandbox, run)).toContainEqual(expect.objectContaining({ kind: 'terms.changed' }));
  await sandbox.troupe(['pause', run]);
  expect((await sandbox.troupe(['resume', run])).stderr).toContain('The run asks: Which colour?');
  expect((await sandbox.troupe(['list'])).stdout).toContain('waiting');
});

test('[L10] a run whose process leaves while it is resumed is taken over', async () => {
  const { sandbox, run } = await asked();
  await sandbox.troupe(['pause', run]);
  const journal = await openSqliteJournal({ home: sandbox.home });
  try {
    const lease = await journal.lease(runId(run), 'a process that is about to leave');
    const resuming = sandbox.troupe(['resume', run]);
    await vi.waitFor(async () => expect(await journal.inbox(runId(run))).toHaveLength(1), 60_000);
    await journal.release(lease);
    const { code, stderr } = await resuming;
    expect({ code, isTaken: stderr.includes('NOT_TAKEN') }).toEqual({ code: 3, isTaken: false });
    expect(await journal.inbox(runId(run))).toEqual([]);
  } finally {
    await journal.close();
  }
  expect((await sandbox.troupe(['answer', run, 'blue'])).stdout).toBe('blue\n');
}, 120_000);

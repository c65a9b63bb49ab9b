import { expect, test } from 'vitest';
import { Fault } from '../core/model/fault.ts';
import { childRunId, taskId } from '../core/model/ids.ts';
import { build, end, expression, to, turn, work } from './testing/build-definition.ts';
import { folderOnly } from '../workspace/testing/folder-only.ts';
import { keep, keeping } from './testing/full-disk.ts';
import type { HostBench } from './testing/host-bench.ts';
import { says, testWorld, type TestCommand } from './testing/test-world.ts';

const single = build({ states: [work('code', turn('coder', "'go'"), [to('stop')]), end('stop')] });

const command = (text: string) =>
  ({ kind: 'command', command: expression(`'${text}'`), okExitCodes: [0], repeat: 'unsafe' }) as const;

/** Two commands at once, neither of which may happen twice. */
const publishing = build({
  states: [
    work(
      'all',
      {
        kind: 'pool',
        units: { kind: 'fixed', list: ['a', 'b'].map((id) => ({ id, after: [], work: command(`publish ${id}`) })) },
        slots: 2,
        join: { rule: 'all' },
        grow: null,
      },
      [to('stop')],
    ),
    end('stop'),
  ],
});

/** A world whose workspaces cannot be made ready while setup is broken. */
function unready(setup: { isBroken: boolean }, ran: string[], meets = (): void => undefined) {
  const workspaces = folderOnly(() => {
    if (setup.isBroken) throw new Fault('SETUP_FAILED', 'The setup command failed.');
    return Promise.resolve('.');
  });
  const runCommand: TestCommand = async (text) => {
    ran.push(text);
    meets();
    return { exitCode: 0, output: '' };
  };
  return { workspaces, runCommand, answer: () => says('') };
}

/** An error that only a person can fix pauses a run; nothing of it is lost or half done. */
export function hostFixing({ host, kinds, makeJournal }: HostBench): void {
  const full = () => ({ isFull: true, kept: [] as string[] });

  test('[PA5] [L3] a full disk pauses the run with its reason, and the call is done once when there is space', async () => {
    const journal = await makeJournal();
    const disk = full();
    const world = testWorld({
      journal,
      tools: [keeping(disk)],
      answer: ({ call }) => (call === 1 ? keep('a') : says('')),
    });
    const one = host(world);
    const run = await one.start({ definition: single, input: {}, project: '.' });
    const rest = await one.rest(run);
    expect(rest).toMatchObject({ status: 'paused', outcome: null, failure: { code: 'DISK_FULL' }, questions: [] });
    expect(rest.failure?.hint).toContain(`troupe resume ${run}`);
    expect((await journal.run(run))?.status).toBe('paused');
    disk.isFull = false;
    await one.resume(run);
    expect(await one.rest(run)).toMatchObject({ status: 'settled', outcome: 'ok' });
    expect([disk.kept, world.calls.length]).toEqual([['a'], 2]);
    expect((await kinds(journal, run)).filter((kind) => /^run\.|^tool\./.test(kind))).toEqual([
      'run.started',
      'run.paused',
      'run.continued',
      'tool.finished',
      'run.settled',
    ]);
  });

  test('[PA5] [L6] another process continues it in the same way', async () => {
    const journal = await makeJournal();
    const disk = full();
    const answer = ({ call }: { call: number }) => (call === 1 ? keep('a') : says(''));
    const one = host(testWorld({ journal, tools: [keeping(disk)], answer }));
    const run = await one.start({ definition: single, input: {}, project: '.' });
    await one.rest(run);
    await one.shutdown();
    const two = host(testWorld({ journal, tools: [keeping(disk)], answer, owner: 'two' }));
    await two.resume(run);
    expect(await two.rest(run)).toMatchObject({ status: 'paused', failure: { code: 'DISK_FULL' } });
    disk.isFull = false;
    await two.resume(run);
    expect(await two.rest(run)).toMatchObject({ outcome: 'ok' });
    expect(disk.kept).toEqual(['a']);
  });

  test('[PA5] other work in progress ends, and work that met the full disk is done again', async () => {
    const journal = await makeJournal();
    const disk = full();
    const list = ['coder', 'reviewer'].map((id) => ({ id, after: [], work: turn(id, "'go'") }));
    const both = { kind: 'pool', units: { kind: 'fixed', list }, slots: 2, join: { rule: 'all' }, grow: null } as const;
    const definition = build({ states: [work('all', both, [to('stop')]), end('stop')] });
    const answer = ({ agent, call }: { agent: string; call: number }) =>
      call === 1 ? keep(agent) : says(`${agent} is done`);
    const one = host(testWorld({ journal, tools: [keeping(disk)], answer }));
    const run = await one.start({ definition, input: {}, project: '.' });
    expect(await one.rest(run)).toMatchObject({ status: 'paused', failure: { code: 'DISK_FULL' } });
    disk.isFull = false;
    await one.resume(run);
    expect(await one.rest(run)).toMatchObject({ outcome: 'ok' });
    expect(disk.kept.toSorted()).toEqual(['coder', 'reviewer']);
    expect((await kinds(journal, run)).filter((kind) => kind === 'run.paused')).toHaveLength(1);
  });

  test('[PA5] [U6] a child that meets it pauses its parent too, and both continue', async () => {
    const journal = await makeJournal();
    const disk = full();
    const parent = build({
      library: { child: { ...single.workflow, name: 'child' } },
      states: [work('call', { kind: 'call', workflow: 'child', input: {} }, [to('stop')]), end('stop')],
    });
    const one = host(
      testWorld({ journal, tools: [keeping(disk)], answer: ({ call }) => (call === 1 ? keep('a') : says('')) }),
    );
    const run = await one.start({ definition: parent, input: {}, project: '.' });
    expect(await one.rest(run)).toMatchObject({ status: 'paused', failure: { code: 'DISK_FULL' } });
    const child = childRunId(run, taskId('t1'));
    expect((await one.snapshot(child)).held?.failure?.hint).toContain(`troupe resume ${run}`);
    disk.isFull = false;
    await one.resume(run);
    expect(await one.rest(run)).toMatchObject({ outcome: 'ok' });
    expect(disk.kept).toEqual(['a']);
  });

  test('[PA5] [L6] a command that must not run twice runs once if it had not begun, in this process or another', async () => {
    for (const isSame of [true, false]) {
      const journal = await makeJournal();
      const setup = { isBroken: true };
      const ran: string[] = [];
      const world = (owner: string) => testWorld({ ...unready(setup, ran), journal, owner });
      const one = host(world('one'));
      const run = await one.start({ definition: publishing, input: {}, project: '.' });
      expect(await one.rest(run)).toMatchObject({ status: 'paused', failure: { code: 'SETUP_FAILED' } });
      // Still broken: again it has not begun.
      await one.resume(run);
      expect(await one.rest(run)).toMatchObject({ status: 'paused' });
      if (!isSame) await one.shutdown();
      const two = isSame ? one : host(world('two'));
      setup.isBroken = false;
      await two.resume(run);
      expect(await two.rest(run)).toMatchObject({ status: 'settled', outcome: 'ok' });
      expect(ran.toSorted()).toEqual(['publish a', 'publish b']);
    }
  });

  test('[PA5] [L6] a command that met a full disk after it had begun is not run again', async () => {
    const journal = await makeJournal();
    const ran: string[] = [];
    const meets = unready({ isBroken: false }, ran, () => {
      throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    });
    const one = host(testWorld({ ...meets, journal }));
    const run = await one.start({ definition: publishing, input: {}, project: '.' });
    expect(await one.rest(run)).toMatchObject({ status: 'paused', failure: { code: 'DISK_FULL' } });
    const before = ran.length;
    await one.resume(run);
    expect(await one.rest(run)).toMatchObject({ status: 'settled' });
    expect(ran.length).toBe(before);
  });

  test('[PA5] [L10] cancelled while it is paused it settles, and the call is never done', async () => {
    const journal = await makeJournal();
    const disk = full();
    const one = host(testWorld({ journal, tools: [keeping(disk)], answer: () => keep('a') }));
    const run = await one.start({ definition: single, input: {}, project: '.' });
    await one.rest(run);
    disk.isFull = false;
    await one.cancel(run, 'ann', 'enough');
    expect(await one.rest(run)).toMatchObject({ status: 'settled', outcome: 'cancelled' });
    expect(disk.kept).toEqual([]);
  });
}

import { expect, test, vi } from 'vitest';
import type { CallReply, CallRequest } from '../actors/port.ts';
import { Fault } from '../core/model/fault.ts';
import { childRunId, taskId } from '../core/model/ids.ts';
import { asking } from './testing/asking.ts';
import { build, end, expression, to, turn, work } from './testing/build-definition.ts';
import type { HostBench } from './testing/host-bench.ts';
import { ManualClock } from './testing/manual-clock.ts';
import { says, testWorld, type TestCommand } from './testing/test-world.ts';
import { untilStopped } from './testing/until-stopped.ts';

/** Cancel, shutdown, faults, takeover. */
export function hostStopping({ host, kinds, makeHost, makeJournal }: HostBench): void {
  test('[L10] cancel stops work in progress, children too, and the run ends as cancelled', async () => {
    const journal = await makeJournal();
    const child = build({ name: 'child', states: [work('code', turn('coder', "'go'"), [to('stop')]), end('stop')] });
    const parent = build({
      library: { child: child.workflow },
      states: [work('call', { kind: 'call', workflow: 'child', input: {} }, [to('stop')]), end('stop')],
    });
    let wasAborted = false;
    const started = Promise.withResolvers<void>();
    const answer = (_request: CallRequest, signal: AbortSignal): Promise<CallReply> => {
      started.resolve();
      const { promise, resolve } = Promise.withResolvers<CallReply>();
      signal.addEventListener('abort', () => {
        wasAborted = true;
        resolve({ kind: 'failed', failure: { code: 'CANCELLED', message: 'stopped', class: 'cancelled' } });
      });
      return promise;
    };
    const one = host(testWorld({ journal, answer }));
    const run = await one.start({ definition: parent, input: {}, project: '.' });
    await started.promise;
    await one.cancel(run, 'ann', 'enough');
    expect(await one.rest(run)).toMatchObject({ status: 'settled', outcome: 'cancelled' });
    const below = childRunId(run, taskId('t1'));
    await vi.waitFor(async () => expect((await one.snapshot(below)).result?.outcome).toBe('cancelled'), 30_000);
    expect(wasAborted).toBe(true);
  });

  test('[L3] a caller that waits for an answer to be taken gets the error when the journal cannot take it, and the run can be resumed', async () => {
    const journal = await makeJournal();
    const definition = asking('Ready?');
    let isFull = false;
    const failing = new Proxy(journal, {
      get(target, key) {
        const value: unknown = Reflect.get(target, key);
        if (typeof value !== 'function') return value;
        if (key !== 'append' || !isFull) return value.bind(target) as unknown;
        return () => Promise.reject(new Fault('JOURNAL_FULL', 'The disk is full.'));
      },
    });
    const one = host(testWorld({ journal: failing, answer: () => says('') }));
    const run = await one.start({ definition, input: {}, project: '.' });
    await one.rest(run);
    isFull = true;
    await expect(one.answer(run, { answer: 'yes', by: 'ann' })).rejects.toMatchObject({ code: 'JOURNAL_FULL' });
    isFull = false;
    await one.resume(run);
    await one.answer(run, { answer: 'yes', by: 'ann' });
    expect(await one.rest(run)).toMatchObject({ outcome: 'ok', output: 'yes' });
  });

  test('[L5] cancel reaches the whole tree, and nothing of it is left when the run has settled', async () => {
    const journal = await makeJournal();
    const leaf = build({ name: 'leaf', states: [work('code', turn('coder', "'go'"), [to('stop')]), end('stop')] });
    const middle = build({
      name: 'middle',
      states: [work('call', { kind: 'call', workflow: 'leaf', input: {} }, [to('stop')]), end('stop')],
    });
    const root = build({
      library: { leaf: leaf.workflow, middle: middle.workflow },
      states: [work('call', { kind: 'call', workflow: 'middle', input: {} }, [to('stop')]), end('stop')],
    });
    const { answer, started, wasStopped } = untilStopped();
    const one = makeHost(testWorld({ journal, answer }));
    const run = await one.start({ definition: root, input: {}, project: '.' });
    await started;
    await one.cancel(run, 'ann', 'enough');
    expect(await one.rest(run)).toMatchObject({ outcome: 'cancelled' });
    await one.shutdown();
    expect(wasStopped()).toBe(true);
    const below = childRunId(childRunId(run, taskId('t1')), taskId('t1'));
    for (const id of [run, childRunId(run, taskId('t1')), below]) {
      expect(await journal.run(id)).toMatchObject({ status: 'settled', outcome: 'cancelled' });
    }
  });

  test('[L2] the cost of a child before its parent gave up on it is part of the cost', async () => {
    const journal = await makeJournal();
    const clock = new ManualClock();
    const child = build({
      name: 'child',
      states: [
        work('first', turn('coder', "'go'"), [to('second')]),
        work('second', { kind: 'ask', question: expression("'?'"), choices: [] }, [to('stop')]),
        end('stop'),
      ],
    });
    const parent = build({
      library: { child: child.workflow },
      states: [
        work('call', { kind: 'call', workflow: 'child', input: {} }, [to('stop')], {
          timeoutMs: 1000,
          on: { timeout: [to('stop')] },
        }),
        end('stop', "'gave up'"),
      ],
    });
    const one = host(testWorld({ journal, clock, answer: () => says('ok') }));
    const run = await one.start({ definition: parent, input: {}, project: '.' });
    await one.rest(run);
    clock.advance(1000);
    await vi.waitFor(async () => expect((await one.snapshot(run)).status).toBe('settled'), 30_000);
    expect(await one.rest(run)).toMatchObject({ output: 'gave up', usage: { calls: 1 }, costUsd: 0.001 });
  });

  test('[L6] messages sent while no process drove the run are taken before any work starts again', async () => {
    const journal = await makeJournal();
    const commands: string[] = [];
    const begun = Promise.withResolvers<void>();
    const never = new Promise<never>(() => undefined);
    const definition = build({
      states: [
        work('publish', { kind: 'command', command: expression("'publish'"), okExitCodes: [0] }, [to('stop')]),
        end('stop'),
      ],
    });
    const runCommand: TestCommand = (command, { signal }) => {
      commands.push(command);
      begun.resolve();
      const stopped = Promise.withResolvers<{ exitCode: null; output: string }>();
      signal.addEventListener('abort', () => stopped.resolve({ exitCode: null, output: '' }));
      return Promise.race([stopped.promise, never]);
    };
    const first = makeHost(testWorld({ journal, answer: () => says(''), runCommand }));
    const run = await first.start({ definition, input: {}, project: '.' });
    await begun.promise;
    await first.shutdown();
    const second = host(testWorld({ journal, answer: () => says(''), runCommand }));
    await second.cancel(run, 'ann', 'never mind');
    await second.resume(run);
    expect(await second.rest(run)).toMatchObject({ outcome: 'cancelled' });
    expect(commands).toEqual(['publish']);
  });

  test('[L6] a command that must not run twice is reported as unknown after a crash', async () => {
    const journal = await makeJournal();
    let count = 0;
    const begun = Promise.withResolvers<void>();
    const publish = {
      kind: 'command',
      command: expression("'publish'"),
      okExitCodes: [0],
      repeat: 'unsafe',
    } as const;
    const definition = build({ states: [work('publish', publish, [to('stop')]), end('stop')] });
    const runCommand: TestCommand = (_command, { signal }) => {
      count += 1;
      begun.resolve();
      const stopped = Promise.withResolvers<{ exitCode: null; output: string }>();
      signal.addEventListener('abort', () => stopped.resolve({ exitCode: null, output: '' }));
      return stopped.promise;
    };
    const first = makeHost(testWorld({ journal, answer: () => says(''), runCommand }));
    const run = await first.start({ definition, input: {}, project: '.' });
    await begun.promise;
    await first.shutdown();
    const second = host(testWorld({ journal, answer: () => says(''), runCommand }));
    await second.resume(run);
    expect(await second.rest(run)).toMatchObject({ outcome: 'crashed', failure: { code: 'OUTCOME_UNKNOWN' } });
    expect(count).toBe(1);
  });

  test('[L7] a run has settled only when the work that was stopped has really ended', async () => {
    const journal = await makeJournal();
    const clock = new ManualClock();
    const ended = Promise.withResolvers<CallReply>();
    const started = Promise.withResolvers<void>();
    const answer = (): Promise<CallReply> => {
      started.resolve();
      return ended.promise;
    };
    const one = host(testWorld({ journal, clock, answer }));
    const definition = build({ states: [work('code', turn('coder', "'go'"), [to('stop')]), end('stop')] });
    const run = await one.start({ definition, input: {}, project: '.' });
    await started.promise;
    await one.cancel(run, 'ann', 'enough');
    let isAtRest = false;
    const rest = one.rest(run).then(() => (isAtRest = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(isAtRest).toBe(false);
    ended.resolve(says('too late'));
    await rest;
    expect(await kinds(journal, run)).not.toContain('call.answered');
  });

  test('[L7] work that will not stop is given up on after a while', async () => {
    const journal = await makeJournal();
    const clock = new ManualClock();
    const started = Promise.withResolvers<void>();
    const answer = (): Promise<CallReply> => {
      started.resolve();
      return new Promise(() => undefined);
    };
    const one = host(testWorld({ journal, clock, answer }));
    const definition = build({ states: [work('code', turn('coder', "'go'"), [to('stop')]), end('stop')] });
    const run = await one.start({ definition, input: {}, project: '.' });
    await started.promise;
    await one.cancel(run, 'ann', 'enough');
    const rest = one.rest(run);
    clock.advance(60_000);
    expect(await rest).toMatchObject({ outcome: 'cancelled' });
  });

  test('[L3] a run that this process does not drive is not said to be at rest', async () => {
    const journal = await makeJournal();
    const { answer, started } = untilStopped();
    const first = makeHost(testWorld({ journal, answer }));
    const definition = build({ states: [work('code', turn('coder', "'go'"), [to('stop')]), end('stop')] });
    const run = await first.start({ definition, input: {}, project: '.' });
    await started;
    await first.shutdown();
    await expect(first.rest(run)).rejects.toMatchObject({ code: 'RUN_NOT_DRIVEN' });
    await expect(first.resume(run)).rejects.toMatchObject({ code: 'HOST_CLOSED' });
  });

  test('[L6] two concurrent resumes of a run in one host drive it once', async () => {
    const journal = await makeJournal();
    const first = makeHost(testWorld({ journal, answer: () => says('') }));
    const run = await first.start({ definition: asking('Ready?'), input: {}, project: '.' });
    await first.rest(run);
    await first.shutdown();
    const second = host(testWorld({ journal, answer: () => says('') }));
    await Promise.all([second.resume(run), second.resume(run)]);
    expect((await kinds(journal, run)).filter((kind) => kind === 'run.resumed')).toHaveLength(1);
  });

  test('[L3] a listener that throws harms no run', async () => {
    const journal = await makeJournal();
    const one = host(testWorld({ journal, answer: () => says('fine') }));
    const warned = Promise.withResolvers<Error>();
    process.once('warning', warned.resolve);
    one.onLive((event) => {
      if (event.kind === 'record' && event.record.fact.kind === 'run.started') throw new Error('broken listener');
    });
    const definition = build({ states: [work('code', turn('coder', "'go'"), [to('stop')]), end('stop')] });
    const run = await one.start({ definition, input: {}, project: '.' });
    expect(await one.rest(run)).toMatchObject({ outcome: 'ok' });
    expect((await warned.promise).message).toBe('broken listener');
  });
}

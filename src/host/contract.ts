import { afterEach, describe, expect, test, vi } from 'vitest';
import type { CallReply, CallRequest } from '../actors/port.ts';
import { toArray } from '../core/append-list.ts';
import type { Fact } from '../core/fact.ts';
import { childRunId, taskId } from '../core/ids.ts';
import type { Failure } from '../core/outcome.ts';
import { NO_USAGE } from '../core/usage.ts';
import type { Journal } from '../journal/port.ts';
import type { Host, World } from './port.ts';
import { build, end, expression, to, turn, work } from './testing/build-definition.ts';
import { coderReviewer, coderReviewerAnswer, noteTool } from './testing/coder-reviewer.ts';
import { ManualClock } from './testing/manual-clock.ts';
import { says, testWorld } from './testing/test-world.ts';

export interface HostUnderTest {
  readonly makeHost: (world: World) => Host;
  readonly makeJournal: () => Journal | Promise<Journal>;
}

const overloaded: Failure = { code: 'OVERLOADED', message: 'busy', class: 'overload' };

/** What every host must do, whatever it runs on. Cites the rules of the port. */
export function hostContract(name: string, { makeHost, makeJournal }: HostUnderTest): void {
  const open: Host[] = [];
  const host = (world: World): Host => {
    const made = makeHost(world);
    open.push(made);
    return made;
  };
  afterEach(async () => {
    await Promise.all(open.splice(0).map((one) => one.shutdown()));
  });
  const kinds = async (journal: Journal, run: Parameters<Journal['read']>[0]): Promise<readonly Fact['kind'][]> =>
    (await journal.read(run)).map((record) => record.fact.kind);

  describe(`${name} as a host`, () => {
    test('[H1] an effect leaves only when the facts that order it are durable', async () => {
      const journal = await makeJournal();
      const seen: number[] = [];
      const answer = async (request: CallRequest): Promise<CallReply> => {
        const records = await journal.read(request.run);
        seen.push(records.filter(({ fact }) => fact.kind === 'task.started' || fact.kind === 'call.started').length);
        return coderReviewerAnswer(request);
      };
      const one = host(testWorld({ journal, answer, tools: [noteTool([])] }));
      const run = await one.start({ definition: coderReviewer(), input: {}, project: '.' });
      await one.rest(run);
      expect(seen).toEqual([1, 2, 3, 4, 5, 6]);
    });

    test('[H2] events are consumed one at a time and the order is in the journal', async () => {
      const journal = await makeJournal();
      const order: string[] = [];
      const answers = new Map<string, PromiseWithResolvers<CallReply>>();
      for (const agent of ['a', 'b', 'c']) answers.set(agent, Promise.withResolvers<CallReply>());
      const world = testWorld({ journal, answer: (request) => answers.get(request.agent)?.promise ?? says('?') });
      const one = host(world);
      const definition = build({
        roles: { a: {}, b: {}, c: {} },
        states: [
          work(
            'all',
            {
              kind: 'pool',
              units: {
                kind: 'fixed',
                list: ['a', 'b', 'c'].map((id) => ({ id, after: [], work: turn(id, "'go'") })),
              },
              slots: 3,
              join: { rule: 'all' },
              grow: null,
            },
            [to('stop')],
          ),
          end('stop', 'contexts.room.messages.length'),
        ],
      });
      one.onLive((event) => {
        if (event.kind === 'record' && event.record.fact.kind === 'call.answered')
          order.push(event.record.fact.message.author);
      });
      const run = await one.start({ definition, input: {}, project: '.' });
      for (const agent of ['c', 'a', 'b']) {
        answers.get(agent)?.resolve(says(`I am ${agent}`));
        await vi.waitFor(() => expect(order).toContain(agent));
      }
      expect(await one.rest(run)).toMatchObject({ outcome: 'ok', output: 6 });
      const snapshot = await one.snapshot(run);
      const speakers = toArray(snapshot.contexts['room']?.messages ?? { items: [], length: 0 });
      expect(speakers.filter((message) => message.role === 'assistant').map((message) => message.author)).toEqual([
        'c',
        'a',
        'b',
      ]);
    });

    test('[H3] a call is keyed by run, task and number, the same on every attempt', async () => {
      const journal = await makeJournal();
      const world = testWorld({
        journal,
        answer: (request) => (request.attempt < 3 ? { kind: 'failed', failure: overloaded } : says('at last')),
      });
      const one = host(world);
      const definition = build({
        states: [work('code', turn('coder', "'go'"), [to('stop')]), end('stop', 'last_agent_response')],
      });
      const run = await one.start({ definition, input: {}, project: '.' });
      expect(await one.rest(run)).toMatchObject({ outcome: 'ok', output: 'at last' });
      expect(world.calls.map((call) => call.attempt)).toEqual([1, 2, 3]);
      expect(new Set(world.calls.map((call) => call.idempotencyKey)).size).toBe(1);
    });

    test('[L10] what a failed call cost counts towards the limits', async () => {
      const journal = await makeJournal();
      const spent = { usage: { ...NO_USAGE, inputTokens: 900, calls: 1 }, costUsd: 0.5 };
      const failure: Failure = { code: 'REPLY_TRUNCATED', message: 'cut off', class: 'bad-reply' };
      const one = host(
        testWorld({
          journal,
          answer: ({ attempt }) => (attempt === 1 ? { kind: 'failed', failure, spent } : says('whole')),
        }),
      );
      const definition = build({ states: [work('code', turn('coder', "'go'"), [to('stop')]), end('stop')] });
      const run = await one.start({ definition, input: {}, project: '.' });
      expect(await one.rest(run)).toMatchObject({
        outcome: 'ok',
        usage: { inputTokens: 910, calls: 2 },
        costUsd: 0.501,
      });
    });

    test('[H4] [L7] a timeout stops the work for real, and its late answer changes nothing', async () => {
      const journal = await makeJournal();
      const clock = new ManualClock();
      const late = Promise.withResolvers<CallReply>();
      let wasAborted = false;
      const world = testWorld({
        journal,
        clock,
        answer: (_request, signal) => {
          signal.addEventListener('abort', () => {
            wasAborted = true;
            late.resolve(says('too late'));
          });
          return late.promise;
        },
      });
      const one = host(world);
      const definition = build({
        states: [
          work('code', turn('coder', "'go'"), [to('stop')], { timeoutMs: 5000, on: { timeout: [to('gave_up')] } }),
          end('stop', "'answered'"),
          end('gave_up', "'gave up'"),
        ],
      });
      const run = await one.start({ definition, input: {}, project: '.' });
      clock.advance(4999);
      expect(wasAborted).toBe(false);
      clock.advance(1);
      expect(await one.rest(run)).toMatchObject({ outcome: 'ok', output: 'gave up' });
      expect(wasAborted).toBe(true);
      expect(await kinds(journal, run)).not.toContain('call.answered');
    });

    test('[H5] time reaches the run only with an event: a wait is as long as the clock says, also over a restart', async () => {
      const journal = await makeJournal();
      const clock = new ManualClock();
      const definition = build({
        states: [work('sleep', { kind: 'wait', ms: expression('60000') }, [to('stop')]), end('stop', "'slept'")],
      });
      const first = makeHost(testWorld({ journal, clock, answer: () => says('') }));
      const run = await first.start({ definition, input: {}, project: '.' });
      clock.advance(20_000);
      await first.shutdown();
      clock.advance(30_000);
      const second = host(testWorld({ journal, clock, answer: () => says(''), owner: 'second' }));
      await second.resume(run);
      expect(clock.nextAlarm).toBe(1_060_000);
      clock.advance(10_000);
      expect(await second.rest(run)).toMatchObject({ outcome: 'ok', output: 'slept' });
    });

    test('[H6] large values come back as they went in', async () => {
      const journal = await makeJournal();
      const text = 'long '.repeat(40_000);
      const one = host(testWorld({ journal, answer: () => says(text) }));
      const definition = build({
        states: [work('code', turn('coder', "'go'"), [to('stop')]), end('stop', 'last_agent_response')],
      });
      const run = await one.start({ definition, input: {}, project: '.' });
      expect((await one.rest(run)).output).toBe(text);
      const snapshot = await host(testWorld({ journal, answer: () => says('') })).snapshot(run);
      expect(snapshot.result?.output).toBe(text);
    });

    test('[L5] a pool gives every unit an outcome: ok, failed, and skipped for what depended on it', async () => {
      const journal = await makeJournal();
      const failure: Failure = { code: 'REQUEST_REFUSED', message: 'no', class: 'bad-request' };
      const one = host(
        testWorld({
          journal,
          answer: (request) => (request.agent === 'b' ? { kind: 'failed', failure } : says(request.agent)),
        }),
      );
      const units = [
        { id: 'a', after: [], work: turn('a', "'go'") },
        { id: 'b', after: [], work: turn('b', "'go'") },
        { id: 'c', after: ['b'], work: turn('c', "'go'") },
      ];
      const definition = build({
        roles: { a: {}, b: {}, c: {} },
        states: [
          work(
            'all',
            { kind: 'pool', units: { kind: 'fixed', list: units }, slots: 1, join: { rule: 'any' }, grow: null },
            [to('stop')],
            { on: { partial: [to('stop', { assign: 'this.common_data.units = result.units' })] } },
          ),
          end('stop', 'common_data.units'),
        ],
      });
      const run = await one.start({ definition, input: {}, project: '.' });
      const rest = await one.rest(run);
      expect(rest.output).toMatchObject([
        { id: 'a', outcome: 'ok', output: 'a' },
        { id: 'b', outcome: 'failed', reason: 'no' },
        { id: 'c', outcome: 'skipped' },
      ]);
    });

    test('[L5] units added while the pool runs are worked off in the slots there are', async () => {
      const journal = await makeJournal();
      const gate = Promise.withResolvers<void>();
      let running = 0;
      let most = 0;
      const answer = async (request: CallRequest): Promise<CallReply> => {
        running += 1;
        most = Math.max(most, running);
        await gate.promise;
        running -= 1;
        return says(request.agent);
      };
      const one = host(testWorld({ journal, answer }));
      const definition = build({
        data: { list: ['one', 'two'] },
        states: [
          work(
            'all',
            {
              kind: 'pool',
              units: { kind: 'items', items: expression('common_data.list'), work: turn('coder', 'item') },
              slots: 2,
              join: { rule: 'all' },
              grow: expression("result === 'coder' && index === 0 ? ['grown'] : []"),
            },
            [to('stop', { assign: 'this.common_data.count = result.units.length' })],
          ),
          end('stop', 'common_data.count'),
        ],
      });
      const run = await one.start({ definition, input: {}, project: '.' });
      await one.addUnits(run, taskId('t1'), [{ id: 'late', after: [], item: 'late' }]);
      await expect(one.addUnits(run, taskId('t1'), [{ id: 'late', after: [], item: 'x' }])).rejects.toMatchObject({
        code: 'UNITS_REFUSED',
      });
      gate.resolve();
      expect(await one.rest(run)).toMatchObject({ outcome: 'ok', output: 4 });
      expect(most).toBe(2);
    });

    test('[SM4] an agent can be told something, also as a unit of a pool, without a model call', async () => {
      const journal = await makeJournal();
      const tell = { kind: 'turn', agent: 'coder', mode: 'tell', input: expression("'note ' + item") } as const;
      const definition = build({
        data: { list: ['one', 'two', 'three'] },
        states: [
          work(
            'all',
            {
              kind: 'pool',
              units: { kind: 'items', items: expression('common_data.list'), work: tell },
              slots: 1,
              join: { rule: 'all' },
              grow: null,
            },
            [to('stop')],
          ),
          end('stop', 'contexts.room.messages.length'),
        ],
      });
      const world = testWorld({ journal, answer: () => says('') });
      const one = host(world);
      const run = await one.start({ definition, input: {}, project: '.' });
      expect(await one.rest(run)).toMatchObject({ outcome: 'ok', output: 3 });
      expect(world.calls).toEqual([]);
    });

    test('[SM4] a child run is isolated, settles before its parent goes on, and its usage counts', async () => {
      const journal = await makeJournal();
      const child = build({
        name: 'child',
        states: [
          work('code', turn('coder', 'common_data.job'), [to('stop')]),
          end('stop', "'child did ' + common_data.job"),
        ],
      });
      const parent = build({
        library: { child: child.workflow },
        states: [
          work('call', { kind: 'call', workflow: 'child', input: { job: expression("'the job'") } }, [
            to('stop', { assign: 'this.common_data.got = this.sub_workflow_result' }),
          ]),
          end('stop', 'common_data.got'),
        ],
      });
      const one = host(testWorld({ journal, answer: () => says('ok') }));
      const run = await one.start({ definition: parent, input: {}, project: '.' });
      const rest = await one.rest(run);
      expect(rest).toMatchObject({ outcome: 'ok', output: 'child did the job', usage: { calls: 1 } });
      const snapshot = await one.snapshot(childRunId(run, taskId('t1')));
      expect(snapshot).toMatchObject({ parent: run, status: 'settled' });
      expect((await one.snapshot(run)).contexts['room']?.messages.length).toBe(0);
    });

    test('[L10] a question stops the run until somebody answers; the first answer wins', async () => {
      const journal = await makeJournal();
      const definition = build({
        states: [
          work('ask', { kind: 'ask', question: expression("'Which colour?'"), choices: ['red', 'blue'] }, [
            to('stop', { assign: 'this.common_data.colour = result' }),
          ]),
          end('stop', 'common_data.colour'),
        ],
      });
      const one = host(testWorld({ journal, answer: () => says('') }));
      const run = await one.start({ definition, input: {}, project: '.' });
      const waiting = await one.rest(run);
      expect(waiting).toMatchObject({ status: 'waiting', questions: [{ kind: 'ask', text: 'Which colour?' }] });
      await one.answer(run, { answer: 'blue', by: 'ann' });
      expect(await one.rest(run)).toMatchObject({ outcome: 'ok', output: 'blue' });
      await expect(one.answer(run, { answer: 'red', by: 'bob' })).rejects.toMatchObject({ code: 'QUESTION_CLOSED' });
    });

    test('[L10] [SM9] a limit pauses the run; raised, it goes on from there', async () => {
      const journal = await makeJournal();
      const definition = build({
        limits: { iterations: 3 },
        states: [
          work('code', turn('coder', "'again'"), [
            to('code', { when: 'contexts.room.messages.length < 10' }),
            to('stop'),
          ]),
          end('stop', 'contexts.room.messages.length'),
        ],
      });
      const one = host(testWorld({ journal, answer: () => says('more') }));
      const run = await one.start({ definition, input: {}, project: '.' });
      expect(await one.rest(run)).toMatchObject({ status: 'paused', failure: { code: 'MAX_ITERATIONS' } });
      await one.raise(run, 'iterations', 10, 'ann');
      expect(await one.rest(run)).toMatchObject({ status: 'settled', outcome: 'ok', output: 10 });
    });

    test('[L10] a child that asks, and one that meets a limit, rest the whole tree and can be answered from the top', async () => {
      const journal = await makeJournal();
      const child = build({
        name: 'child',
        limits: { iterations: 1 },
        states: [
          work('ask', { kind: 'ask', question: expression("'Go on?'"), choices: [] }, [to('code')]),
          work('code', turn('coder', "'go'"), [to('code', { when: 'contexts.room.messages.length < 4' }), to('stop')]),
          end('stop', "'child is done'"),
        ],
      });
      const parent = build({
        library: { child: child.workflow },
        states: [
          work('call', { kind: 'call', workflow: 'child', input: {} }, [
            to('stop', { assign: 'this.common_data.x = result' }),
          ]),
          end('stop', 'common_data.x'),
        ],
      });
      const first = makeHost(testWorld({ journal, answer: () => says('ok') }));
      const run = await first.start({ definition: parent, input: {}, project: '.' });
      const below = childRunId(run, taskId('t1'));
      expect(await first.rest(run)).toMatchObject({ status: 'waiting', questions: [{ run: below, text: 'Go on?' }] });
      await first.shutdown();
      const second = host(testWorld({ journal, answer: () => says('ok') }));
      await second.resume(run);
      await second.rest(run);
      await second.answer(run, { answer: 'yes', by: 'ann' });
      expect(await second.rest(run)).toMatchObject({ status: 'paused', failure: { code: 'MAX_ITERATIONS' } });
      await second.answer(run, { answer: 'continue', by: 'ann' });
      expect(await second.rest(run)).toMatchObject({ status: 'settled', output: 'child is done' });
    });

    test('[L10] cancel stops what is under way, children too, and the run comes out cancelled', async () => {
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
      await vi.waitFor(async () => expect((await one.snapshot(below)).result?.outcome).toBe('cancelled'));
      expect(wasAborted).toBe(true);
    });

    test('[L8] a script that only the isolate can run is journaled, and a fold never runs it again', async () => {
      const journal = await makeJournal();
      const definition = build({
        states: [
          work('start', { kind: 'none' }, [
            to('no', { when: '[1, 2, 3].map(n => n * 2).includes(5)' }),
            to('stop', {
              when: '[1, 2, 3].map(n => n * 2).includes(4)',
              assign: 'for (const n of [1, 2]) this.common_data.sum = (this.common_data.sum || 0) + n;',
            }),
          ]),
          end('no'),
          end('stop', '[common_data.sum].map(n => n + 1)[0]'),
        ],
      });
      const one = host(testWorld({ journal, answer: () => says('') }));
      const run = await one.start({ definition, input: {}, project: '.' });
      expect(await one.rest(run)).toMatchObject({ outcome: 'ok', output: 4 });
      expect((await kinds(journal, run)).filter((kind) => kind === 'script.evaluated')).toHaveLength(4);
    });

    test('[L2] many runs at once in one process each come to their own end', async () => {
      const journal = await makeJournal();
      const one = host(testWorld({ journal, answer: coderReviewerAnswer, tools: [noteTool([])] }));
      const definition = coderReviewer();
      const runs = await Promise.all(
        Array.from({ length: 50 }, () => one.start({ definition, input: {}, project: '.' })),
      );
      const rests = await Promise.all(runs.map((run) => one.rest(run)));
      expect(rests.every((rest) => rest.output === 'done after 14')).toBe(true);
    });
  });
}

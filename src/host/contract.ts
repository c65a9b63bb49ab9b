import { afterEach, describe, expect, test, vi } from 'vitest';
import type { CallReply, CallRequest } from '../actors/port.ts';
import { toArray } from '../core/append-list.ts';
import type { Fact } from '../core/fact.ts';
import { Fault } from '../core/fault.ts';
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

    test('[L8] one isolate serves every script of the host and is closed with it', async () => {
      const journal = await makeJournal();
      const definition = build({
        states: [
          work('loop', { kind: 'none' }, [
            to('loop', { when: 'common_data.n < 5', assign: 'for (const one of [1]) this.common_data.n += one;' }),
            to('stop'),
          ]),
          end('stop', 'common_data.n'),
        ],
        data: { n: 0 },
      });
      let made = 0;
      const world = testWorld({ journal, answer: () => says('') });
      const one = host({
        ...world,
        isolate: () => {
          made += 1;
          return world.isolate();
        },
      });
      const run = await one.start({ definition, input: {}, project: '.' });
      expect(await one.rest(run)).toMatchObject({ output: 5 });
      expect(made).toBe(1);
    });

    test('[L3] whoever waits for an answer to be taken hears when the journal cannot take it, and the run can be resumed', async () => {
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

    test('[L2] what a child spent before its parent gave up on it is part of the cost', async () => {
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
      await vi.waitFor(async () => expect((await one.snapshot(run)).status).toBe('settled'));
      expect(await one.rest(run)).toMatchObject({ output: 'gave up', usage: { calls: 1 }, costUsd: 0.001 });
    });

    test('[L10] two children may ask at once, and each answer reaches the one it is for', async () => {
      const journal = await makeJournal();
      const child = build({
        name: 'child',
        states: [
          work('ask', { kind: 'ask', question: expression("'Do ' + common_data.what + '?'"), choices: [] }, [
            to('stop', { assign: 'this.common_data.said = result' }),
          ]),
          end('stop', "common_data.what + ': ' + common_data.said"),
        ],
      });
      const parent = build({
        library: { child: child.workflow },
        data: { jobs: ['deploy', 'rename'] },
        states: [
          work(
            'all',
            {
              kind: 'pool',
              units: {
                kind: 'items',
                items: expression('common_data.jobs'),
                work: { kind: 'call', workflow: 'child', input: { what: expression('item') } },
              },
              slots: 2,
              join: { rule: 'all' },
              grow: null,
            },
            [to('stop', { assign: 'this.common_data.all = result.units' })],
          ),
          end('stop', 'common_data.all'),
        ],
      });
      const one = host(testWorld({ journal, answer: () => says('') }));
      const run = await one.start({ definition: parent, input: {}, project: '.' });
      const { questions } = await one.rest(run);
      expect(new Set(questions.map((question) => question.id)).size).toBe(2);
      await expect(one.answer(run, { answer: 'yes', by: 'ann' })).rejects.toMatchObject({ code: 'QUESTION_AMBIGUOUS' });
      const rename = questions.find((question) => question.text === 'Do rename?');
      await one.answer(run, { question: rename?.id ?? '', answer: 'no', by: 'ann' });
      await one.rest(run);
      await one.answer(run, { answer: 'yes', by: 'ann' });
      const { output } = await one.rest(run);
      expect(output).toMatchObject([{ output: 'deploy: yes' }, { output: 'rename: no' }]);
    });

    test('[L10] the first answer wins also while nobody drives the run, and what is no answer is refused', async () => {
      const journal = await makeJournal();
      const first = makeHost(testWorld({ journal, answer: () => says('') }));
      const run = await first.start({ definition: asking('Ready?', ['yes', 'no']), input: {}, project: '.' });
      await first.rest(run);
      await first.shutdown();
      const elsewhere = host(testWorld({ journal, answer: () => says('') }));
      await expect(elsewhere.answer(run, { answer: 'banana', by: 'bob' })).rejects.toMatchObject({
        code: 'ANSWER_INVALID',
      });
      await elsewhere.answer(run, { answer: 'YES', by: 'ann' });
      await expect(elsewhere.answer(run, { answer: 'no', by: 'bob' })).rejects.toMatchObject({
        code: 'QUESTION_CLOSED',
      });
      await elsewhere.resume(run);
      expect(await elsewhere.rest(run)).toMatchObject({ output: 'yes' });
      await expect(elsewhere.cancel(run, 'bob', 'late')).rejects.toMatchObject({ code: 'RUN_SETTLED' });
    });

    test('[L6] what was said while nobody drove the run is heard before anything is started again', async () => {
      const journal = await makeJournal();
      const commands: string[] = [];
      const never = new Promise<never>(() => undefined);
      const definition = build({
        states: [
          work('publish', { kind: 'command', command: expression("'publish'"), okExitCodes: [0] }, [to('stop')]),
          end('stop'),
        ],
      });
      const runCommand: World['runCommand'] = (command, { signal }) => {
        commands.push(command);
        const stopped = Promise.withResolvers<{ exitCode: null; output: string; failure: null }>();
        signal.addEventListener('abort', () => stopped.resolve({ exitCode: null, output: '', failure: null }));
        return Promise.race([stopped.promise, never]);
      };
      const first = makeHost(testWorld({ journal, answer: () => says(''), runCommand }));
      const run = await first.start({ definition, input: {}, project: '.' });
      await first.shutdown();
      const second = host(testWorld({ journal, answer: () => says(''), runCommand }));
      await second.cancel(run, 'ann', 'never mind');
      await second.resume(run);
      expect(await second.rest(run)).toMatchObject({ outcome: 'cancelled' });
      expect(commands).toEqual(['publish']);
    });

    test('[L6] a command that must not run twice is told as unknown after a crash', async () => {
      const journal = await makeJournal();
      let count = 0;
      const publish = {
        kind: 'command',
        command: expression("'publish'"),
        okExitCodes: [0],
        repeat: 'unsafe',
      } as const;
      const definition = build({ states: [work('publish', publish, [to('stop')]), end('stop')] });
      const runCommand: World['runCommand'] = (_command, { signal }) => {
        count += 1;
        const stopped = Promise.withResolvers<{ exitCode: null; output: string; failure: null }>();
        signal.addEventListener('abort', () => stopped.resolve({ exitCode: null, output: '', failure: null }));
        return stopped.promise;
      };
      const first = makeHost(testWorld({ journal, answer: () => says(''), runCommand }));
      const run = await first.start({ definition, input: {}, project: '.' });
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

    test('[L6] two who resume a run at once in one host drive it once', async () => {
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

    test('[L10] a child keeps to its own limit where that is tighter than what its parent has left', async () => {
      const journal = await makeJournal();
      const child = build({
        name: 'child',
        limits: { tokens: 15 },
        states: [
          work('code', turn('coder', "'go'"), [to('code', { when: 'contexts.room.messages.length < 6' }), to('stop')]),
          end('stop'),
        ],
      });
      const parent = build({
        library: { child: child.workflow },
        limits: { tokens: 1000 },
        states: [work('call', { kind: 'call', workflow: 'child', input: {} }, [to('stop')]), end('stop')],
      });
      const one = host(testWorld({ journal, answer: () => says('ok') }));
      const run = await one.start({ definition: parent, input: {}, project: '.' });
      expect(await one.rest(run)).toMatchObject({ status: 'paused', failure: { code: 'MAX_TOKENS' } });
    });
  });
}

function asking(question: string, choices: readonly string[] = []) {
  return build({
    states: [
      work('ask', { kind: 'ask', question: expression(JSON.stringify(question)), choices }, [
        to('stop', { assign: 'this.common_data.said = result' }),
      ]),
      end('stop', 'common_data.said'),
    ],
  });
}

/** An actor that answers nothing until it is stopped. */
function untilStopped() {
  const started = Promise.withResolvers<void>();
  let isStopped = false;
  const answer = (_request: CallRequest, signal: AbortSignal): Promise<CallReply> => {
    started.resolve();
    const { promise, resolve } = Promise.withResolvers<CallReply>();
    signal.addEventListener('abort', () => {
      isStopped = true;
      resolve({ kind: 'failed', failure: { code: 'CANCELLED', message: 'stopped', class: 'cancelled' } });
    });
    return promise;
  };
  return { answer, started: started.promise, wasStopped: () => isStopped };
}

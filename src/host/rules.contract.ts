import { expect, test, vi } from 'vitest';
import type { CallReply, CallRequest } from '../actors/port.ts';
import { toArray } from '../core/model/append-list.ts';
import { build, end, expression, to, turn, work } from './testing/build-definition.ts';
import { coderReviewer, coderReviewerAnswer, noteTool } from './testing/coder-reviewer.ts';
import type { HostBench } from './testing/host-bench.ts';
import { ManualClock } from './testing/manual-clock.ts';
import { says, testWorld } from './testing/test-world.ts';
import type { Failure } from '../core/model/outcome.ts';

const overloaded: Failure = { code: 'ENDPOINT_OVERLOADED', message: 'busy', class: 'overload' };

/** The six rules of the port. */
export function hostRules({ host, kinds, makeHost, makeJournal }: HostBench): void {
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
      await vi.waitFor(() => expect(order).toContain(agent), 30_000);
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
}

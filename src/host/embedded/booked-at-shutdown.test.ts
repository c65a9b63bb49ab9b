import { expect, onTestFinished, test } from 'vitest';
import type { Actor, CallAnswer, CallReply, CallRequest } from '../../actors/port.ts';
import { isJsonObject } from '../../core/model/json.ts';
import { addUsage, NO_USAGE } from '../../core/model/usage.ts';
import { createMemoryJournal } from '../../journal/memory/memory-journal.ts';
import type { Journal } from '../../journal/port.ts';
import type { RunId } from '../../core/model/ids.ts';
import { allTools } from '../../tools/all-tools.ts';
import { build, end, to, turn, work } from '../testing/build-definition.ts';
import { CLIENT_TRAITS, STOPPED_REPLY, stoppingClient, USED } from '../testing/stopping-client.ts';
import { says, testWorld, type TestWorldOptions } from '../testing/test-world.ts';
import { createEmbeddedHost } from './embedded-host.ts';

const DONE = says('done') as CallAnswer;

test.each([
  ['that it was stopped', STOPPED_REPLY],
  ['with its answer, which is no longer taken', { ...DONE, ...USED }],
])(
  '[U5] [L2] the usage of a client until its engine was shut down is in the journal: it ends %s',
  async (_how, reply) => {
    const journal = createMemoryJournal();
    const client = stoppingClient(reply);
    const first = hostOn(journal, { client: CLIENT_TRAITS, call: client.call });
    const run = await first.start({ definition: talk(), input: {}, project: '.' });
    await client.atWork;
    const before = await kinds(journal, run);
    await first.shutdown();
    // Only that: all other work is requested again.
    expect((await kinds(journal, run)).slice(before.length)).toEqual(['usage.noted']);

    const second = hostOn(journal, { client: CLIENT_TRAITS, answer: () => DONE });
    expect(await second.snapshot(run)).toMatchObject(USED);
    await second.resume(run);
    expect(await second.rest(run)).toMatchObject({
      outcome: 'ok',
      usage: addUsage(USED.usage, DONE.usage),
      costUsd: USED.costUsd + (DONE.costUsd ?? 0),
    });
  },
);

test('[U5] one that was cancelled and is still stopping is waited for, and its usage is counted', async () => {
  const journal = createMemoryJournal();
  const atWork = Promise.withResolvers<void>();
  const stopped = Promise.withResolvers<CallReply>();
  const call: Actor['call'] = () => {
    atWork.resolve();
    return stopped.promise;
  };
  const host = hostOn(journal, { client: CLIENT_TRAITS, call });
  const run = await host.start({ definition: talk(), input: {}, project: '.' });
  await atWork.promise;
  await host.cancel(run, 'ann', 'enough');
  const closed = host.shutdown();
  stopped.resolve(STOPPED_REPLY);
  await closed;
  const { result, usage } = await hostOn(journal, {}).snapshot(run);
  expect({ outcome: result?.outcome, usage }).toEqual({ outcome: 'cancelled', usage: USED.usage });
});

test('[U5] [Q8] the usage of a sub-agent until then is counted by itself, and by its parent once, when it has ended', async () => {
  const journal = createMemoryJournal();
  const { call, atWork } = stoppingClient({ ...STOPPED_REPLY, spent: { usage: NO_USAGE, costUsd: null } });
  const first = hostOn(journal, {
    tools: allTools,
    call: (request, options) => {
      if (request.agent === 'helper' && request.call === 2) return call(request, options);
      return Promise.resolve(handing(request));
    },
  });
  const run = await first.start({ definition: leadAndHelper(), input: {}, project: '.' });
  await atWork;
  await first.shutdown();
  const second = hostOn(journal, { tools: allTools, answer: handing });
  expect((await second.snapshot(run)).usage.calls).toBe(1);
  await second.resume(run);
  // Two calls of the lead, two of its sub-agent.
  expect(await second.rest(run)).toMatchObject({ outcome: 'ok', usage: { calls: 4 } });
});

test('[U5] [Q8] the cost of a sub-agent counts if its end and a cancel wait in one inbox', async () => {
  const journal = createMemoryJournal();
  const { call, atWork } = stoppingClient({ ...STOPPED_REPLY, spent: { usage: NO_USAGE, costUsd: null } });
  const first = hostOn(journal, {
    tools: allTools,
    call: (request, options) =>
      request.agent === 'helper' && request.call === 2 ? call(request, options) : Promise.resolve(handing(request)),
  });
  const run = await first.start({ definition: leadAndHelper(), input: {}, project: '.' });
  await atWork;
  await first.shutdown();
  const [child] = await journal.runs({ parent: run });
  const second = hostOn(journal, { tools: allTools, answer: handing });
  if (child !== undefined) await second.resume(child.run);
  await second.rest(child?.run ?? run);
  await second.cancel(run, 'ann', 'enough');
  const waiting = (await journal.inbox(run)).map(({ body }) => (isJsonObject(body) ? body['kind'] : null));
  expect(waiting).toEqual(expect.arrayContaining(['child.settled', 'cancel']));
  await second.shutdown();
  const third = hostOn(journal, { tools: allTools, answer: handing });
  await third.resume(run);
  // One call of the lead, two of its sub-agent.
  expect(await third.rest(run)).toMatchObject({ outcome: 'cancelled', usage: { calls: 3 } });
});

/** The lead gives its work to a sub-agent, which searches for something before it is done. */
function handing({ agent, call }: CallRequest): CallReply {
  if (call > 1) return DONE;
  if (agent === 'lead') return says('', [{ id: 'a', name: 'task', arguments: { prompt: 'one', role: 'helper' } }]);
  return says('', [{ id: 'b', name: 'nothing_like_it', arguments: {} }]);
}

function hostOn(journal: Journal, options: Partial<TestWorldOptions>) {
  const host = createEmbeddedHost(testWorld({ journal, answer: () => says(''), ...options }));
  onTestFinished(() => host.shutdown());
  return host;
}

const kinds = async (journal: Journal, run: RunId): Promise<readonly string[]> =>
  (await journal.read(run)).map(({ fact }) => fact.kind);

const talk = () => build({ states: [work('code', turn('coder', "'go'"), [to('stop')]), end('stop')] });

const leadAndHelper = () =>
  build({
    roles: { lead: { tasks: ['helper'] }, helper: {} },
    states: [work('start', turn('lead', "'go'"), [to('stop')]), end('stop')],
  });

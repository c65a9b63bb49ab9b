import { expect, test } from 'vitest';
import type { CallRequest, ClientTraits } from '../actors/port.ts';
import { emptyList, toArray } from '../core/model/append-list.ts';
import { childRunId, taskId, type RunId } from '../core/model/ids.ts';
import type { Message } from '../core/model/message.ts';
import type { Definition } from '../core/model/definition.ts';
import type { Journal } from '../journal/port.ts';
import { build, each, end, expression, to, turn, work } from './testing/build-definition.ts';
import type { Host, Remark } from './port.ts';
import { dyingJournal } from './testing/dying-journal.ts';
import type { HostBench } from './testing/host-bench.ts';
import { says, testWorld, type TestWorldOptions } from './testing/test-world.ts';

const REMARK = { agent: 'coder', text: 'Use tabs.', by: 'ann' };

const heard = ({ messages }: CallRequest): readonly string[] => messages.map(({ content }) => content);

/** One that asks a person, and then has an agent speak. */
const askThenSpeak = (name = 'test'): Definition =>
  build({
    name,
    states: [
      work('ask', { kind: 'ask', question: expression("'Go on?'"), choices: [] }, [to('code')]),
      work('code', turn('coder', "'go'"), [to('stop')]),
      end('stop'),
    ],
  });

const speak = (): Definition => build({ states: [work('code', turn('coder', "'go'"), [to('stop')]), end('stop')] });

/** Many runs below one that has no agents itself. */
function pool(jobs: readonly string[]): Definition {
  const whole = build({
    library: { child: askThenSpeak('child').workflow },
    data: { jobs },
    states: [
      work('all', each('common_data.jobs', { kind: 'call', workflow: 'child', input: {} }, 2), [to('stop')]),
      end('stop'),
    ],
  });
  return { ...whole, workflow: { ...whole.workflow, agents: [] } };
}

/** All calls of an agent that gets a message while its first is in progress. */
async function callsWithRemark(
  { host, makeJournal }: HostBench,
  more: Pick<TestWorldOptions, 'client'> = {},
): Promise<readonly CallRequest[]> {
  const started = Promise.withResolvers<() => Promise<unknown>>();
  const answer: TestWorldOptions['answer'] = async ({ call }) => {
    const tell = await started.promise;
    if (call === 1) await tell();
    return says(`answer ${call}`);
  };
  const world = testWorld({ journal: await makeJournal(), answer, ...more });
  const one = host(world);
  const run = await one.start({ definition: speak(), input: {}, project: '.' });
  started.resolve(() => one.tell(run, REMARK));
  expect(await one.rest(run)).toMatchObject({ outcome: 'ok' });
  return world.calls;
}

/** A person's messages to agents. */
export function hostTelling(bench: HostBench): void {
  const { host, makeHost, makeJournal } = bench;

  test('[U2] an agent in a turn gets a person’s message with its next call, and the turn does not end before', async () => {
    const calls = await callsWithRemark(bench);
    expect(calls.map(heard)).toEqual([['go'], ['go', 'answer 1', 'Use tabs.']]);
  });

  test('[U2] [Q4] a client in a turn is prompted once more in its session, with the new message alone', async () => {
    const client: ClientTraits = { provider: 'vendor', choosesSession: true, canResume: true, canFork: true };
    const calls = await callsWithRemark(bench, { client });
    const unheard = calls.map((call) => call.client?.unheard.map(({ content }) => content));
    expect(unheard).toEqual([['go'], ['Use tabs.']]);
    expect(calls[1]?.client?.session.how).toBe('resumed');
  });

  /** A run that asks, after this was said to its agents, and that no process drives any more. */
  const leftAsking = async (journal: Journal, remarks: readonly Remark[] = []): Promise<RunId> => {
    const first = makeHost(testWorld({ journal, answer: () => says('') }));
    const run = await first.start({ definition: askThenSpeak(), input: {}, project: '.' });
    await first.rest(run);
    for (const remark of remarks) await first.tell(run, remark);
    await first.shutdown();
    return run;
  };

  test('[U2] [J6] messages to a run that no process drives wait, and are sent from the first call on', async () => {
    const journal = await makeJournal();
    const run = await leftAsking(journal);
    const world = testWorld({ journal, answer: () => says('done') });
    const second = host(world);
    expect(await second.tell(run, REMARK)).toEqual({ run, agent: 'coder' });
    expect(await journal.inbox(run)).toHaveLength(1);
    await second.resume(run);
    await second.rest(run);
    await second.answer(run, { answer: 'yes', by: 'ann' });
    expect(await second.rest(run)).toMatchObject({ outcome: 'ok' });
    expect(world.calls.map(heard)).toEqual([['Use tabs.', 'go']]);
    const fact = (await journal.read(run)).find((record) => record.fact.kind === 'message.added')?.fact;
    expect(fact).toMatchObject({ by: 'ann', message: { author: 'person', to: 'coder', content: 'Use tabs.' } });
    await expect(second.tell(run, REMARK)).rejects.toMatchObject({
      code: 'RUN_SETTLED',
      hint: expect.stringContaining(`troupe fork ${run}`),
    });
  });

  test('[U2] an unknown agent, and an ambiguous one, are refused with the names that exist', async () => {
    const world = testWorld({ journal: await makeJournal(), answer: () => says('done') });
    const one = host(world);
    const run = await one.start({ definition: pool(['a', 'b']), input: {}, project: '.' });
    await one.rest(run);
    await expect(one.tell(run, { ...REMARK, agent: 'cook' })).rejects.toMatchObject({
      code: 'AGENT_UNKNOWN',
      hint: 'It has: t2/coder, t2/reviewer, t3/coder, t3/reviewer.',
    });
    await expect(one.tell(run, REMARK)).rejects.toMatchObject({
      code: 'AGENT_AMBIGUOUS',
      hint: 'Name the one that is meant: t2/coder, t3/coder.',
    });
    const below = childRunId(run, taskId('t3'));
    expect(await one.tell(run, { ...REMARK, agent: 't3/coder' })).toEqual({ run: below, agent: 'coder' });
    for (const question of ['t2/t1', 't3/t1']) await one.answer(run, { question, answer: 'yes', by: 'ann' });
    expect(await one.rest(run)).toMatchObject({ outcome: 'ok' });
    const calls = world.calls.map((call) => [call.run, heard(call)] as const);
    expect(Object.fromEntries(calls)).toEqual({
      [childRunId(run, taskId('t2'))]: ['go'],
      [below]: ['Use tabs.', 'go'],
    });
  });

  test('[U2] a fork may begin with messages to its agents; the run it comes from never gets them', async () => {
    const journal = await makeJournal();
    const world = testWorld({ journal, answer: () => says('done') });
    const one = host(world);
    const run = await one.start({ definition: speak(), input: {}, project: '.' });
    await one.rest(run);
    const entered = (await journal.read(run)).find(({ fact }) => fact.kind === 'state.entered');
    const at = entered?.seq ?? 0;
    const { by, ...remark } = REMARK;
    await expect(one.fork(run, { at, tell: [{ ...remark, agent: 'cook' }], by })).rejects.toMatchObject({
      code: 'AGENT_UNKNOWN',
    });
    const fork = await one.fork(run, { at, tell: [remark], by });
    await one.resume(fork);
    expect(await one.rest(fork)).toMatchObject({ outcome: 'ok' });
    expect(world.calls.map((call) => [call.run, heard(call)])).toEqual([
      [run, ['go']],
      [fork, ['Use tabs.', 'go']],
    ]);
  });

  test.each([0, 1, 2, 3, 4, 5])(
    '[U2] [L6] a process that dies after %i writes loses no message, and no agent gets one twice',
    async (afterAppends) => {
      const journal = await makeJournal();
      const run = await leftAsking(journal, [REMARK]);
      const dying = dyingJournal(journal, { afterAppends });
      await Promise.race([goOn(makeHost(testWorld({ journal: dying, answer: () => says('a') })), run), dying.died]);
      const last = host(testWorld({ journal, answer: () => says('b') }));
      await goOn(last, run);
      const { status, contexts } = await last.snapshot(run);
      const said = toArray(contexts['room']?.messages ?? emptyList<Message>());
      expect([status, said.map(({ content }) => content)]).toEqual([
        'settled',
        ['Use tabs.', 'go', expect.stringMatching(/^[ab]$/)],
      ]);
    },
  );
}

/** Takes it up and answers its questions; a settled run needs nothing. */
async function goOn(host: Host, run: RunId): Promise<void> {
  if ((await host.snapshot(run)).status === 'settled') return;
  await host.resume(run);
  const { questions } = await host.rest(run);
  if (questions.length > 0) await host.answer(run, { answer: 'yes', by: 'ann' });
  await host.rest(run);
}

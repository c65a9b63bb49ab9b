import { describe, expect, onTestFinished, test } from 'vitest';
import type { CallReply, CallRequest, ClientTraits } from '../../actors/port.ts';
import { toArray } from '../../core/model/append-list.ts';
import type { Definition } from '../../core/model/definition.ts';
import { runId, type RunId } from '../../core/model/ids.ts';
import type { State, TurnWork } from '../../core/model/workflow.ts';
import { createMemoryJournal } from '../../journal/memory/memory-journal.ts';
import type { Journal } from '../../journal/port.ts';
import type { Host } from '../port.ts';
import type { Conversations } from '../world.ts';
import { build, end, to, turn, work } from '../testing/build-definition.ts';
import { dyingJournal } from '../testing/dying-journal.ts';
import { ManualClock } from '../testing/manual-clock.ts';
import { says, testWorld, type TestWorldOptions } from '../testing/test-world.ts';
import { systemClock } from '../system-clock.ts';
import { createEmbeddedHost } from './embedded-host.ts';

const TRAITS: ClientTraits = { provider: 'vendor', choosesSession: true, canResume: true, canFork: true };

const apart = (agent: string, input: string): TurnWork => ({ ...turn(agent, input), apart: true });

/** Each agent has its own conversation and its own files. */
function team(states: readonly State[], given: Partial<Parameters<typeof build>[0]> = {}): Definition {
  const definition = build({ states, roles: { one: {}, two: {} }, ...given });
  const { agents } = definition.workflow;
  const contexts = agents.map(({ name }) => ({ name, startingMessages: [], maxLength: 50_000 }));
  const own = agents.map((agent) => ({ ...agent, context: agent.name, workspace: 'own' }));
  return { ...definition, workflow: { ...definition.workflow, contexts, agents: own } };
}

const twice = (): Definition =>
  team([
    work('first', apart('one', "'make it'"), [to('second')]),
    work('second', apart('one', "'make it better'"), [to('stop')]),
    end('stop', 'this.last_agent_response'),
  ]);

/** Two at the same time, of which one need not succeed. */
const both = (timeoutMs: number | null): Definition => {
  const units = ['one', 'two'].map((id) => ({ id, after: [], work: apart(id, `'as ${id}'`) }));
  const pool = { kind: 'pool', units: { kind: 'fixed', list: units }, slots: 2, grow: null } as const;
  const join = { rule: 'quorum', count: 1 } as const;
  return team([
    work('all', { ...pool, join }, [to('after')], {
      timeoutMs,
      on: { partial: [to('after')], timeout: [to('after')] },
    }),
    work('after', apart('two', "'and now'"), [to('stop')]),
    end('stop', 'this.last_agent_response'),
  ]);
};

interface Machine {
  readonly host: Host;
  readonly calls: readonly CallRequest[];
}

interface Machines {
  readonly journal: Journal;
  /** Who drives what it offers; without one it drives all runs itself. */
  readonly to?: () => Host;
}

function machine(worker: string, { journal, to }: Machines, options: Partial<TestWorldOptions> = {}): Machine {
  const made = testWorld({
    journal,
    owner: worker,
    answer: ({ visit, state }) => says(`${state} ${visit}`),
    ...options,
  });
  const offer = async (run: RunId): Promise<boolean> => {
    setImmediate(
      () =>
        void to?.()
          .resume(run, { keepsPause: true })
          .catch(() => undefined),
    );
    return true;
  };
  const host = createEmbeddedHost({ ...made, worker, ...(to === undefined ? {} : { placement: { offer } }) });
  if (!('died' in journal)) onTestFinished(() => host.shutdown());
  return { host, calls: made.calls };
}

/** As a process does it that has no worker itself. */
async function begin(journal: Journal, definition: Definition): Promise<RunId> {
  const host = createEmbeddedHost(testWorld({ journal, owner: 'user', answer: () => says('never') }));
  const run = await host.start({
    definition,
    input: {},
    project: '.',
    sendAway: async () => ({ id: 'project', rules: 'rules' }),
  });
  await host.shutdown();
  return run;
}

async function conversation(host: Host, run: RunId, name: string): Promise<readonly string[]> {
  const { contexts } = await host.snapshot(run);
  const context = contexts[name];
  return context === undefined ? [] : toArray(context.messages).map(({ content }) => content);
}

const drivenBelow = async (journal: Journal, run: RunId): Promise<readonly string[]> =>
  (await journal.runs({ parent: run })).map((one) => one.run).toSorted();

test('[U8] on workers a turn apart is a run below, on another worker, and leaves what a turn leaves', async () => {
  const journal = createMemoryJournal();
  const there = machine('there', { journal });
  const here = machine('here', { journal, to: () => there.host });
  const run = await begin(journal, twice());
  await here.host.resume(run);
  expect(await here.host.rest(run)).toMatchObject({ outcome: 'ok', output: 'second 1', costUsd: 0.002 });
  expect(here.calls).toEqual([]);
  expect(there.calls.map(({ run: by, agent, state }) => [by, agent, state])).toEqual([
    [`${run}/t1`, 'one', 'first'],
    [`${run}/t2`, 'one', 'second'],
  ]);
  expect(there.calls[1]?.messages.map(({ content }) => content)).toEqual(['make it', 'first 1', 'make it better']);
  const said = ['make it', 'first 1', 'make it better', 'second 1'];
  expect(await conversation(here.host, run, 'one')).toEqual(said);
  expect((await here.host.snapshot(run)).usage.calls).toBe(2);
});

test('[U8] one machine alone makes the same turns in the run itself, and it comes out the same', async () => {
  const journal = createMemoryJournal();
  const host = createEmbeddedHost(testWorld({ journal, answer: ({ visit, state }) => says(`${state} ${visit}`) }));
  onTestFinished(() => host.shutdown());
  const run = await host.start({ definition: twice(), input: {}, project: '.' });
  expect(await host.rest(run)).toMatchObject({ outcome: 'ok', output: 'second 1', costUsd: 0.002 });
  expect(await drivenBelow(journal, run)).toEqual([]);
  expect(await conversation(host, run, 'one')).toEqual(['make it', 'first 1', 'make it better', 'second 1']);
});

test('[U8] [Q4] a client goes on in its session in the next turn, with the folder of the run above, and hears what is new', async () => {
  const journal = createMemoryJournal();
  const homes: string[] = [];
  const clients = {
    homeOf: async ({ run, agent }: { run: RunId; agent: string }) => `${homes.push(`${run} ${agent}`)}`,
  };
  const there = machine('there', { journal }, { client: TRAITS, clients });
  const here = machine('here', { journal, to: () => there.host });
  const run = await begin(journal, twice());
  await here.host.resume(run);
  expect(await here.host.rest(run)).toMatchObject({ outcome: 'ok' });
  const [first, second] = there.calls.map(({ client }) => client);
  expect(first?.session).toEqual({ how: 'new', id: 'session-1' });
  expect(second?.session).toEqual({ how: 'resumed', id: 'session-1' });
  expect(second?.unheard.map(({ content }) => content)).toEqual(['make it better']);
  expect(new Set(homes)).toEqual(new Set([`${run} one`]));
  expect((await here.host.snapshot(run)).sessions['one']).toMatchObject({ id: 'session-1', seen: 4, lastTask: 't2' });
});

test('[U8] [Q4] where the next turn is on another worker, the conversation that was stored after this one is brought there', async () => {
  const journal = createMemoryJournal();
  const asked: unknown[] = [];
  const conversationsAt = (name: string): Conversations => ({
    keep: async ({ session }) => ({ body: `${session} by ${name}`, bytes: 1 }),
    bring: async ({ session }, kept) => {
      asked.push([name, session, kept?.body]);
      return { kind: 'brought', folder: '/where/it/was' };
    },
  });
  const at = (name: string): Machine =>
    machine(name, { journal }, { client: TRAITS, clients: { conversations: conversationsAt(name) } });
  const [second, third] = [at('second'), at('third')];
  const free = [second.host, third.host];
  const first = machine('first', { journal, to: () => free.shift() ?? third.host });
  const run = await begin(journal, twice());
  await first.host.resume(run);
  expect(await first.host.rest(run)).toMatchObject({ outcome: 'ok' });
  expect([second, third].map(({ calls }) => calls.map(({ state }) => state))).toEqual([['first'], ['second']]);
  expect(asked).toEqual([['third', 'session-1', 'session-1 by second']]);
  expect(third.calls[0]?.client?.session).toEqual({ how: 'resumed', id: 'session-1' });
  expect((await first.host.snapshot(run)).sessions['one']?.kept?.body).toBe('session-1 by third');
});

test('[U8] an agent that shares its files or its conversation takes its turns in the run, whatever they are marked as', async () => {
  for (const shared of [{ workspace: 'shared' }, { context: 'two' }]) {
    const { workflow, ...rest } = twice();
    const agents = workflow.agents.map((agent) => ({ ...agent, ...shared }));
    const journal = createMemoryJournal();
    const here = machine('here', { journal });
    const run = await begin(journal, { ...rest, workflow: { ...workflow, agents } });
    await here.host.resume(run);
    expect(await here.host.rest(run)).toMatchObject({ outcome: 'ok', output: 'second 1' });
    expect(await drivenBelow(journal, run)).toEqual([]);
  }
});

const hang = (signal: AbortSignal): Promise<CallReply> =>
  new Promise((resolve) => {
    const failure = { code: 'CANCELLED', message: 'stopped', class: 'cancelled' } as const;
    signal.addEventListener('abort', () => resolve({ kind: 'failed', failure }), { once: true });
  });

describe('what happens to a turn from outside', () => {
  test('[SM8] its time is up: it is stopped where it is, and the rest goes on', async () => {
    const journal = createMemoryJournal();
    const answer: TestWorldOptions['answer'] = ({ agent, state }, signal) =>
      agent === 'two' && state === 'all' ? hang(signal) : says(`${agent} in ${state}`);
    const clock = new ManualClock(Date.now());
    const there = machine('there', { journal }, { answer, clock });
    const here = machine('here', { journal, to: () => there.host }, { clock });
    const run = await begin(journal, both(600_000));
    await here.host.resume(run);
    const ended = async (): Promise<readonly string[]> =>
      (await journal.read(run)).flatMap(({ fact }) => (fact.kind === 'task.ended' ? [fact.task] : []));
    await expect.poll(() => there.calls.length).toBe(2);
    await expect.poll(ended).toEqual(['t2']);
    clock.advance(900_000);
    expect(await here.host.rest(run)).toMatchObject({ outcome: 'ok', output: 'two in after' });
    const ends = (await journal.read(run)).flatMap(({ fact }) =>
      fact.kind === 'task.ended' ? [[fact.task, fact.outcome]] : [],
    );
    expect(ends).toContainEqual(['t2', 'ok']);
    expect(ends).toContainEqual(['t3', 'timeout']);
    expect((await journal.run(runId(`${run}/t3`)))?.status).toBe('settled');
  });

  test('[U2] what a person says to the agent meanwhile reaches it where its turn is', async () => {
    const journal = createMemoryJournal();
    const heard: string[][] = [];
    const answered = Promise.withResolvers<CallReply>();
    const answer: TestWorldOptions['answer'] = ({ call, messages }) => {
      heard.push(messages.map(({ content }) => content));
      return call === 1 && heard.length === 1 ? answered.promise : says('heard it');
    };
    const there = machine('there', { journal }, { answer });
    const here = machine('here', { journal, to: () => there.host });
    const run = await begin(journal, twice());
    await here.host.resume(run);
    await expect.poll(() => heard.length).toBe(1);
    expect(await here.host.tell(run, { agent: 'one', text: 'in blue', by: 'ada' })).toEqual({
      run: `${run}/t1`,
      agent: 'one',
    });
    await expect.poll(async () => (await journal.read(runId(`${run}/t1`))).at(-1)?.fact.kind).toBe('message.added');
    answered.resolve(says('done'));
    expect(await here.host.rest(run)).toMatchObject({ outcome: 'ok' });
    expect(heard.at(-1)).toEqual(['make it', 'done', 'in blue', 'heard it', 'make it better']);
  });

  test('[U2] a run that is cancelled stops it first, and counts what it had spent', async () => {
    const journal = createMemoryJournal();
    const there = machine('there', { journal }, { answer: (_request, signal) => hang(signal) });
    const here = machine('here', { journal, to: () => there.host });
    const run = await begin(journal, twice());
    await here.host.resume(run);
    await expect.poll(() => there.calls.length).toBe(1);
    await here.host.cancel(run, 'ada', 'enough');
    expect(await here.host.rest(run)).toMatchObject({ outcome: 'cancelled' });
    expect((await journal.run(runId(`${run}/t1`)))?.status).toBe('settled');
  });
});

describe('[L6] whichever process dies', () => {
  test('after each of its writes another one goes on, and it comes out the same with as many calls', async () => {
    let writes = 0;
    let isOver = false;
    while (!isOver) {
      const journal = createMemoryJournal();
      const run = await begin(journal, both(null));
      const dying = dyingJournal(journal, { afterAppends: writes });
      const owner = { owner: 'one after the other' };
      const first = machine('first', { journal: dying }, owner);
      const settled = first.host.resume(run).then(async () => {
        await first.host.rest(run);
        return true;
      });
      isOver = await Promise.race([settled, dying.died.then(() => false)]);
      writes += 1;
      const second = machine('second', { journal }, owner);
      if (!isOver) await second.host.resume(run);
      expect(await second.host.rest(run)).toMatchObject({ outcome: 'ok', output: 'after 1' });
      expect(await conversation(second.host, run, 'two')).toEqual(['as two', 'all 1', 'and now', 'after 1']);
      expect(await conversation(second.host, run, 'one')).toEqual(['as one', 'all 1']);
      expect(await drivenBelow(journal, run)).toEqual([`${run}/t2`, `${run}/t3`, `${run}/t4`]);
      expect((await second.host.snapshot(run)).usage.calls).toBe(3);
    }
    expect(writes).toBeGreaterThan(8);
  });
});

describe('[RW1] back and aside', () => {
  test('a fork in the middle of a turn makes that turn again, with the conversation of then', async () => {
    const journal = createMemoryJournal();
    const run = await begin(journal, twice());
    // Two steps at the same moment would be one.
    let time = Date.now() + 1000;
    const clock = { ...systemClock, now: () => (time += 1) };
    const here = machine('here', { journal }, { clock });
    await here.host.resume(run);
    expect(await here.host.rest(run)).toMatchObject({ outcome: 'ok' });
    const records = await journal.read(run);
    const at = records.find(({ fact }) => fact.kind === 'task.started' && fact.task === 't2')?.seq ?? 0;
    const fork = await here.host.fork(run, { at, by: 'ada' });
    await here.host.resume(fork);
    expect(await here.host.rest(fork)).toMatchObject({ outcome: 'ok', output: 'second 1' });
    expect(await drivenBelow(journal, fork)).toEqual([`${fork}/t2`]);
    expect(await conversation(here.host, fork, 'one')).toEqual(['make it', 'first 1', 'make it better', 'second 1']);
  });

  test('[U2] what is said to an agent as a run is forked reaches it in the copy of the turn that it is in', async () => {
    const journal = createMemoryJournal();
    const answer: TestWorldOptions['answer'] = ({ agent, state }, signal) =>
      agent === 'two' && state === 'all' ? hang(signal) : says(`${agent} in ${state}`);
    const there = machine('there', { journal }, { answer });
    const here = machine('here', { journal, to: () => there.host });
    const run = await begin(journal, both(null));
    await here.host.resume(run);
    const last = async () => (await journal.read(run)).findLast(({ fact }) => fact.kind === 'task.ended');
    await expect.poll(() => there.calls.length).toBe(2);
    await expect.poll(last).toBeDefined();
    const fork = await here.host.fork(run, {
      at: (await last())?.seq ?? 0,
      by: 'ada',
      tell: [{ agent: 'two', text: 'in blue' }],
    });
    const aside = machine('aside', { journal });
    await aside.host.resume(fork);
    expect(await aside.host.rest(fork)).toMatchObject({ outcome: 'ok' });
    // The call under way is made again as it was; then the turn has one more, which has it.
    expect(aside.calls.at(-1)?.messages.map(({ content }) => content)).toEqual([
      'as two',
      'all 1',
      'in blue',
      'all 1',
      'and now',
    ]);
    const said = async (one: string) =>
      (await journal.read(runId(one))).filter(({ fact }) => fact.kind === 'message.added').length;
    expect([await said(fork), await said(`${fork}/t3`)]).toEqual([0, 1]);
  });

  test('a run that is put back into a turn takes it up there, and what it had spent stays spent', async () => {
    const journal = createMemoryJournal();
    const here = machine('here', { journal });
    const run = await begin(journal, twice());
    await here.host.resume(run);
    await here.host.rest(run);
    const records = await journal.read(run);
    const to = records.find(({ fact }) => fact.kind === 'task.started' && fact.task === 't1')?.seq ?? 0;
    await here.host.rewind(run, { to, files: false, conversation: true, by: 'ada' });
    await here.host.resume(run);
    expect(await here.host.rest(run)).toMatchObject({ outcome: 'ok', output: 'second 1', costUsd: 0.004 });
    expect(await conversation(here.host, run, 'one')).toEqual(['make it', 'first 1', 'make it better', 'second 1']);
  });
});

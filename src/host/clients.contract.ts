import { expect, test } from 'vitest';
import type { Actor, CallReply, ClientTraits } from '../actors/port.ts';
import type { Failure } from '../core/model/outcome.ts';
import type { Definition } from '../core/model/definition.ts';
import { signalTool } from '../core/model/signal.ts';
import type { SignalName } from '../core/model/signal-name.ts';
import { build, end, to, turn, work } from './testing/build-definition.ts';
import { dyingJournal } from './testing/dying-journal.ts';
import type { HostBench } from './testing/host-bench.ts';
import { ManualClock } from './testing/manual-clock.ts';
import { says, testWorld } from './testing/test-world.ts';

const TRAITS: ClientTraits = { provider: 'vendor', choosesSession: true, canResume: true, canFork: true };

const KILLED: Failure = { code: 'CLIENT_CRASHED', message: 'It was killed.', class: 'crash' };

/** Agents that are their own programs: their sessions, questions and quotas (Q3, Q4, Q5). */
export function hostClients({ host, makeHost, makeJournal }: HostBench): void {
  const never = (): CallReply => says('');

  test('[Q4] the session is in the journal before the client is called, and the next turn continues it', async () => {
    const journal = await makeJournal();
    const known: (string | undefined)[] = [];
    const world = testWorld({
      journal,
      client: TRAITS,
      answer: never,
      call: async ({ run }) => {
        const noted = (await journal.read(run)).filter(({ fact }) => fact.kind === 'session.noted');
        known.push(noted.map(({ fact }) => (fact.kind === 'session.noted' ? fact.session : '')).join());
        return says('done');
      },
    });
    const one = host(world);
    const run = await one.start({ definition: talk(2), input: {}, project: '.' });
    expect(await one.rest(run)).toMatchObject({ outcome: 'ok' });
    expect(known).toEqual(['session-1', 'session-1,session-1']);
    expect(world.calls.map(({ client }) => client?.session)).toEqual([
      { how: 'new', id: 'session-1' },
      { how: 'resumed', id: 'session-1' },
    ]);
    expect(world.calls.map(({ client }) => client?.unheard.map(({ content }) => content))).toEqual([
      ['go 1'],
      ['go 2'],
    ]);
  });

  test('[L6] [Q4] a client whose engine died continues the same session and is notified', async () => {
    const journal = await makeJournal();
    const dying = dyingJournal(journal, { afterAppends: 2 });
    const first = makeHost(testWorld({ journal: dying, client: TRAITS, answer: () => says('lost') }));
    const run = await first.start({ definition: talk(1), input: {}, project: '.' });
    await dying.died;
    const world = testWorld({ journal, client: TRAITS, answer: () => says('done') });
    const second = host(world);
    await second.resume(run);
    expect(await second.rest(run)).toMatchObject({ outcome: 'ok' });
    const [call] = world.calls;
    expect(call?.client?.session).toEqual({ how: 'resumed', id: 'session-1' });
    expect(call?.client?.unheard.map(({ content }) => content)).toEqual([
      expect.stringContaining('The engine stopped while you were at work.'),
      'go 1',
    ]);
  });

  test('[L6] [Q4] after an engine died in a second attempt, its client is notified of that, not of the first failure', async () => {
    const journal = await makeJournal();
    const isBack = Promise.withResolvers<void>();
    const call: Actor['call'] = ({ attempt }) => {
      if (attempt === 1) return Promise.resolve({ kind: 'failed', failure: KILLED });
      isBack.resolve();
      return new Promise(() => undefined);
    };
    const clock = new ManualClock();
    const first = makeHost(testWorld({ journal, clock, client: TRAITS, answer: never, call }));
    const run = await first.start({ definition: talk(1), input: {}, project: '.' });
    await until(async () => (await first.snapshot(run)).tasks['t1']?.turn?.phase === 'waiting');
    clock.advance(60_000);
    await isBack.promise;
    const world = testWorld({ journal, client: TRAITS, answer: () => says('done') });
    const second = host(world);
    await second.resume(run);
    expect(await second.rest(run)).toMatchObject({ outcome: 'ok' });
    expect(world.calls[0]?.client?.unheard[0]?.content).toMatch(/^The engine stopped while you were at work\./);
  });

  test('[Q5] a session that its client lost is followed by a new one, which receives everything', async () => {
    const world = testWorld({
      journal: await makeJournal(),
      client: TRAITS,
      answer: ({ client, visit, attempt }) =>
        visit === 2 && attempt === 1 && client?.session.how === 'resumed'
          ? { kind: 'failed', failure: { code: 'SESSION_LOST', message: 'No conversation found.', class: 'session' } }
          : says(`answer ${visit}`),
    });
    const one = host(world);
    const run = await one.start({ definition: talk(2), input: {}, project: '.' });
    expect(await one.rest(run)).toMatchObject({ outcome: 'ok' });
    const last = world.calls.at(-1)?.client;
    expect(last?.session.how).toBe('new');
    expect(last?.unheard.map(({ content }) => content)).toEqual(['go 1', 'answer 1', 'go 2']);
  });

  test('[Q2] a role with signals that ends without one is nudged once in its session, then has crashed', async () => {
    const world = testWorld({ journal: await makeJournal(), client: TRAITS, answer: () => says('I am done.') });
    const one = host(world);
    const run = await one.start({ definition: talk(1, ['complete']), input: {}, project: '.' });
    expect(await one.rest(run)).toMatchObject({ outcome: 'crashed', failure: { code: 'REPLY_OWED' } });
    expect(world.calls.map(({ client }) => client?.session.how)).toEqual(['new', 'resumed']);
    expect(world.calls[1]?.client?.unheard.map(({ content }) => content)).toEqual([
      expect.stringContaining('Call `signal_back` now.'),
    ]);
  });

  test('[L10] a request of a client waits for a person; after the answer it continues', async () => {
    const allowed: boolean[] = [];
    const call: Actor['call'] = async (_request, { onPermission }) => {
      const reply = await onPermission?.({ tool: 'Bash', input: { command: 'ls' } });
      allowed.push(reply?.isAllowed ?? false);
      return says('done');
    };
    const one = host(testWorld({ journal: await makeJournal(), client: TRAITS, answer: never, call }));
    const run = await one.start({ definition: talk(2), input: {}, project: '.' });
    expect(await one.rest(run)).toMatchObject({ status: 'waiting', questions: [{ kind: 'permission' }] });
    await one.answer(run, { answer: 'always', by: 'ann' });
    expect(await one.rest(run)).toMatchObject({ outcome: 'ok' });
    expect(allowed).toEqual([true, true]);
  });

  test('[L10] a repeated request gets the person’s answer again', async () => {
    const allowed: (boolean | undefined)[] = [];
    const call: Actor['call'] = async (_request, { onPermission }) => {
      for (const tool of ['Bash', 'Bash']) allowed.push((await onPermission?.({ tool, input: {} }))?.isAllowed);
      return says('done');
    };
    const one = host(testWorld({ journal: await makeJournal(), client: TRAITS, answer: never, call }));
    const run = await one.start({ definition: talk(1), input: {}, project: '.' });
    await one.rest(run);
    await one.answer(run, { answer: 'no', by: 'ann' });
    expect(await one.rest(run)).toMatchObject({ outcome: 'ok' });
    expect(allowed).toEqual([false, false]);
  });

  test('[L6] [L10] permission given while no process drove the run reaches the client that asks again', async () => {
    const journal = await makeJournal();
    const call: Actor['call'] = async (_request, { onPermission }) =>
      says(`allowed: ${(await onPermission?.({ tool: 'Bash', input: {} }))?.isAllowed}`);
    const world = (owner: string) => testWorld({ journal, client: TRAITS, answer: never, call, owner });
    const first = makeHost(world('first'));
    const run = await first.start({ definition: talk(1), input: {}, project: '.' });
    await first.rest(run);
    await first.shutdown();
    await host(world('teller')).answer(run, { answer: 'yes', by: 'ann' });
    const second = host(world('second'));
    await second.resume(run);
    expect(await second.rest(run)).toMatchObject({ outcome: 'ok' });
    expect((await second.snapshot(run)).agents['coder']?.lastResponse).toBe('allowed: true');
  });

  test('[L10] a client that dies takes its question along: the run is at work while the next one is', async () => {
    const asked = Promise.withResolvers<void>();
    const isBack = Promise.withResolvers<void>();
    const mayEnd = Promise.withResolvers<void>();
    const heard: (boolean | undefined)[] = [];
    const call: Actor['call'] = async ({ attempt }, { onPermission }) => {
      if (attempt === 1) {
        void onPermission?.({ tool: 'Bash', input: {} }).then(({ isAllowed }) => heard.push(isAllowed));
        await asked.promise;
        return { kind: 'failed', failure: KILLED };
      }
      isBack.resolve();
      await mayEnd.promise;
      return says('done');
    };
    const clock = new ManualClock();
    const one = host(testWorld({ journal: await makeJournal(), clock, client: TRAITS, answer: never, call }));
    const run = await one.start({ definition: talk(1), input: {}, project: '.' });
    const waiting = await one.rest(run);
    expect(waiting).toMatchObject({ status: 'waiting', questions: [{ kind: 'permission' }] });
    asked.resolve();
    await until(async () => (await one.snapshot(run)).tasks['t1']?.turn?.phase === 'waiting');
    clock.advance(60_000);
    await isBack.promise;
    const question = waiting.questions[0]?.id;
    await expect(
      one.answer(run, { ...(question === undefined ? {} : { question }), answer: 'yes', by: 'ann' }),
    ).rejects.toMatchObject({
      code: 'QUESTION_CLOSED',
    });
    const rest = one.rest(run);
    mayEnd.resolve();
    expect(await rest).toMatchObject({ outcome: 'ok' });
    expect(heard).toEqual([false]);
  });

  test('[Q5] everyone who needs a quota with a known end waits for it, and nothing is started meanwhile', async () => {
    const clock = new ManualClock();
    let isUsedUp = true;
    const world = testWorld({
      journal: await makeJournal(),
      clock,
      client: TRAITS,
      answer: () => (isUsedUp ? usedUp(3_600_000) : says('done')),
    });
    const one = host(world);
    const first = await one.start({ definition: talk(1), input: {}, project: '.' });
    await until(() => clock.nextAlarm === 1_000_000 + 3_600_000 + SLACK_MS);
    const second = await one.start({ definition: talk(1), input: {}, project: '.' });
    await until(async () => (await one.snapshot(second)).tasks['t1']?.turn?.phase === 'waiting');
    expect(world.calls).toHaveLength(1);
    isUsedUp = false;
    clock.advance(3_600_000 + SLACK_MS);
    expect(await one.rest(first)).toMatchObject({ outcome: 'ok' });
    expect(await one.rest(second)).toMatchObject({ outcome: 'ok' });
  });

  test('[Q5] without a login the run is paused until a person has fixed it', async () => {
    let hasLogin = false;
    const world = testWorld({
      journal: await makeJournal(),
      client: TRAITS,
      answer: () => (hasLogin ? says('done') : noLogin()),
    });
    const one = host(world);
    const run = await one.start({ definition: talk(1), input: {}, project: '.' });
    expect(await one.rest(run)).toMatchObject({ status: 'paused' });
    expect((await one.snapshot(run)).held?.failure).toMatchObject({ code: 'LOGIN_NEEDED' });
    hasLogin = true;
    await one.resume(run);
    expect(await one.rest(run)).toMatchObject({ outcome: 'ok' });
    expect(world.calls).toHaveLength(2);
  });

  test('[Q4] a fork takes along the sessions in which nothing was said since, as copies', async () => {
    const world = testWorld({ journal: await makeJournal(), client: TRAITS, answer: () => says('done') });
    const one = host(world);
    const run = await one.start({ definition: pair(false), input: {}, project: '.' });
    expect(await one.rest(run)).toMatchObject({ outcome: 'ok' });
    const entered = (await world.journal.read(run)).filter(({ fact }) => fact.kind === 'state.entered');
    const at = entered[1]?.seq ?? 0;
    const fork = await one.fork(run, { at, definition: pair(true), by: 'ann' });
    const forked = (await world.journal.read(fork)).findLast(({ fact }) => fact.kind === 'run.forked')?.fact;
    // The coder has spoken and not since; the critic only after the record.
    expect(forked).toMatchObject({ sessions: ['coder'] });
    expect((await one.snapshot(fork)).sessions).toMatchObject({ coder: { id: 'session-1', isOfOther: true } });
    await one.resume(fork);
    expect(await one.rest(fork)).toMatchObject({ outcome: 'ok' });
    expect(world.calls.at(-1)?.client?.session).toMatchObject({ how: 'forked', from: 'session-1' });
  });

  test('[Q4] a session that continued after the record stays with the run: its later messages are not forgotten', async () => {
    const world = testWorld({ journal: await makeJournal(), client: TRAITS, answer: () => says('done') });
    const one = host(world);
    const run = await one.start({ definition: talk(2), input: {}, project: '.' });
    expect(await one.rest(run)).toMatchObject({ outcome: 'ok' });
    const entered = (await world.journal.read(run)).filter(({ fact }) => fact.kind === 'state.entered');
    const fork = await one.fork(run, { at: entered[1]?.seq ?? 0, by: 'ann' });
    expect((await one.snapshot(fork)).sessions).toEqual({});
    await one.resume(fork);
    expect(await one.rest(fork)).toMatchObject({ outcome: 'ok' });
    expect(world.calls.at(-1)?.client?.session.how).toBe('new');
  });
}

/** How much later than requested a quota is tried again: the longest wait of the definition's policy. */
const SLACK_MS = 20;

const usedUp = (retryAfterMs: number): CallReply => ({
  kind: 'failed',
  failure: { code: 'QUOTA_USED_UP', message: 'The limit is reached.', class: 'quota', retryAfterMs },
});

const noLogin = (): CallReply => ({
  kind: 'failed',
  failure: { code: 'AUTH_FAILED', message: 'Not logged in.', class: 'auth' },
});

/** The coder is asked so many times. */
export function talk(turns: number, signals: readonly SignalName[] = []): Definition {
  const owed = signals.length === 0 ? {} : { signals, parsingTools: [signalTool({ signals })] };
  return build({
    roles: { coder: owed },
    data: { count: 0 },
    states: [
      work('code', turn('coder', "'go ' + (common_data.count + 1)"), [
        to('code', {
          when: `common_data.count + 1 < ${turns}`,
          assign: 'this.common_data.count = this.common_data.count + 1',
        }),
        to('stop'),
      ]),
      end('stop'),
    ],
  });
}

/** The coder, then the critic, and perhaps the coder again. */
function pair(hasFix: boolean): Definition {
  return build({
    roles: { coder: {}, critic: {} },
    states: [
      work('code', turn('coder', "'go'"), [to('look')]),
      work('look', turn('critic', "'look'"), [to(hasFix ? 'fix' : 'stop')]),
      work('fix', turn('coder', "'fix'"), [to('stop')]),
      end('stop'),
    ],
  });
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setImmediate(resolve));
}

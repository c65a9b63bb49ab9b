import { unitOf } from '../core/fold/units.ts';
import { expect, test } from 'vitest';
import type { Actor, CallReply, CallRequest } from '../actors/port.ts';
import { openChildren } from '../core/fold/open-children.ts';
import type { RunId } from '../core/model/ids.ts';
import type { Definition } from '../core/model/definition.ts';
import type { Work } from '../core/model/workflow.ts';
import type { Host } from './port.ts';
import { build, each, end, expression, to, turn, work } from './testing/build-definition.ts';
import type { HostBench } from './testing/host-bench.ts';
import { ManualClock } from './testing/manual-clock.ts';
import { says, testWorld } from './testing/test-world.ts';

/** Slots of a pool whose units are separate runs (Q1, Q3). */
export function hostSlots({ host, makeHost, makeJournal }: HostBench): void {
  test('[Q3] a unit that waits for a person leaves its slot to the next one', async () => {
    const one = host(testWorld({ journal: await makeJournal(), answer: () => says('done') }));
    const run = await one.start({ definition: steps(['asks', 'works']), input: {}, project: '.' });
    const waiting = await one.rest(run);
    expect(waiting).toMatchObject({ status: 'waiting', questions: [{ text: 'Go on?' }] });
    const units = (await one.snapshot(run)).tasks['t1']?.units;
    expect(unitOf(units, 'asks')).toMatchObject({ status: 'resting' });
    expect(unitOf(units, 'works')).toMatchObject({ status: 'ended', outcome: 'ok' });
    await one.answer(run, { answer: 'yes', by: 'ann' });
    expect(await one.rest(run)).toMatchObject({ outcome: 'ok' });
  });

  test.each([
    ['', (ids: readonly string[]) => steps(ids)],
    [' two runs below the pool', nested],
    [' in a pool below the pool', pooled],
  ])('[Q1] [Q3] a question answered%s waits for a slot: never more than there are', async (_where, definitionOf) => {
    const gate = gated();
    const one = host(testWorld({ journal: await makeJournal(), answer: gate.answer }));
    const run = await wanting(one, gate, definitionOf);
    expect(gate.calls).toEqual(['works']);
    gate.open();
    expect(await one.rest(run)).toMatchObject({ outcome: 'ok' });
    expect(gate.calls).toEqual(['works', 'asks']);
  });

  test.each([
    ['a unit', (ids: readonly string[]) => steps(ids)],
    ['a run two below a unit', nested],
  ])('[L6] [Q3] %s that had no slot has none after a restart either', async (_who, definitionOf) => {
    const journal = await makeJournal();
    const gate = gated();
    const first = makeHost(testWorld({ journal, answer: gate.answer }));
    const run = await first.start({ definition: definitionOf(['asks', 'works']), input: {}, project: '.' });
    await gate.called('works');
    await settled(async () => (await unit(first, run, 'asks')) === 'resting');
    await first.shutdown();
    const again = gated();
    const second = host(testWorld({ journal, answer: again.answer, owner: 'second' }));
    await second.resume(run);
    await answered(second, run, again);
    expect(again.calls).toEqual(['works']);
    again.open();
    expect(await second.rest(run)).toMatchObject({ outcome: 'ok' });
    expect(again.calls).toEqual(['works', 'asks']);
  });

  test.each([
    ['a unit', (ids: readonly string[]) => steps(ids)],
    ['a unit below a unit', pooled],
  ])(
    '[Q1] [L10] paused while %s requests its slot again, the run comes to rest, and continues from there',
    async (_who, definitionOf) => {
      const gate = gated();
      const one = host(testWorld({ journal: await makeJournal(), answer: gate.answer }));
      const run = await wanting(one, gate, definitionOf);
      await one.pause(run, 'ann', 'lunch');
      gate.open();
      expect(await one.rest(run)).toMatchObject({ status: 'paused' });
      expect(gate.calls).toEqual(['works']);
      await one.resume(run);
      expect(await one.rest(run)).toMatchObject({ outcome: 'ok' });
      expect(gate.calls).toEqual(['works', 'asks']);
    },
  );

  test('[Q1] [Q5] work that a missing login halted requests a slot like any other', async () => {
    let hasLogin = false;
    const atOnce = { now: 0, most: 0 };
    const call: Actor['call'] = async () => {
      if (!hasLogin)
        return { kind: 'failed', failure: { code: 'AUTH_FAILED', message: 'Not logged in.', class: 'auth' } };
      atOnce.now += 1;
      atOnce.most = Math.max(atOnce.most, atOnce.now);
      for (let turns = 0; turns < 50; turns += 1) await new Promise((resolve) => setImmediate(resolve));
      atOnce.now -= 1;
      return says('done');
    };
    const client = { provider: 'vendor', choosesSession: true, canResume: true, canFork: true };
    const one = host(testWorld({ journal: await makeJournal(), client, answer: () => says(''), call }));
    const run = await one.start({ definition: steps(['a', 'b', 'c'], { workspace: 'own' }), input: {}, project: '.' });
    expect(await one.rest(run)).toMatchObject({ status: 'paused' });
    hasLogin = true;
    await one.resume(run);
    expect(await one.rest(run)).toMatchObject({ outcome: 'ok' });
    expect(atOnce).toEqual({ now: 0, most: 1 });
  });

  test('[Q3] a unit that has no use for the slot it gets back any longer gives it away again', async () => {
    const gate = gated();
    const clock = new ManualClock();
    const one = host(testWorld({ journal: await makeJournal(), answer: gate.answer, clock }));
    const run = await wanting(one, gate, steps);
    const [asks] = openChildren(await one.snapshot(run));
    const child = asks?.run ?? run;
    clock.advance(TIMEOUT_MS);
    await settled(async () => (await one.snapshot(child)).current.state === 'again');
    gate.open();
    expect(await one.rest(run)).toMatchObject({ status: 'waiting', questions: [{ text: 'Again?' }] });
    expect(await unit(one, run, 'asks')).toBe('resting');
  });

  test('[Q3] [Q5] a quota that is waited for two runs below the pool leaves the slot to the next unit', async () => {
    const clock = new ManualClock();
    const calls: string[] = [];
    const answer = ({ messages, attempt }: CallRequest): CallReply => {
      const unit = messages.at(-1)?.content ?? '';
      calls.push(unit);
      if (unit !== 'waits' || attempt > 1) return says('done');
      const failure = { code: 'QUOTA_EXCEEDED', message: 'Used up.', class: 'quota', retryAfterMs: 3_600_000 } as const;
      return { kind: 'failed', failure };
    };
    const one = host(testWorld({ journal: await makeJournal(), answer, clock }));
    const run = await one.start({ definition: nested(['waits', 'works']), input: {}, project: '.' });
    await settled(async () => (await unit(one, run, 'works')) === 'ended');
    expect(await unit(one, run, 'waits')).toBe('resting');
    // A little more than requested: the provider's clock may be behind.
    clock.advance(3_600_000 + 60_000);
    expect(await one.rest(run)).toMatchObject({ outcome: 'ok' });
    expect(calls).toEqual(['waits', 'works', 'waits']);
  });
}

const TIMEOUT_MS = 3_600_000;

/** A run whose unit `asks` was answered and requests its slot again, while `works` has it. */
async function wanting(one: Host, gate: Gate, definitionOf: (ids: readonly string[]) => Definition): Promise<RunId> {
  const run = await one.start({ definition: definitionOf(['asks', 'works']), input: {}, project: '.' });
  await answered(one, run, gate);
  return run;
}

async function answered(one: Host, run: RunId, gate: Gate): Promise<void> {
  await gate.called('works');
  await one.answer(run, { answer: 'yes', by: 'ann' });
  await settled(async () => (await unit(one, run, 'asks')) === 'returning');
}

/** The status of a unit of the pool. */
const unit = async (one: Host, run: RunId, id: string): Promise<string | undefined> =>
  unitOf((await one.snapshot(run)).tasks['t1']?.units, id)?.status;

/** One slot; each unit is a run that may ask a person before its agent speaks. */
function steps(ids: readonly string[], place: { readonly workspace?: 'own' } = {}): Definition {
  const child = step('step');
  const parent = build({
    data: { steps: ids.map((id) => ({ id })) },
    states: [
      work(
        'pool',
        each(
          'common_data.steps',
          { kind: 'call', workflow: 'step', input: { id: expression('item.id') }, ...place },
          1,
        ),
        [to('stop')],
      ),
      end('stop'),
    ],
  });
  return { ...parent, roles: { ...parent.roles, ...child.roles }, library: { step: child.workflow } };
}

/** The same, but each unit's step is done by a child run. */
const nested = (ids: readonly string[]): Definition =>
  through(ids, { kind: 'call', workflow: 'inner', input: { id: expression('common_data.id') } });

/** The same, but that run is the only unit of a pool. */
const pooled = (ids: readonly string[]): Definition =>
  through(
    ids,
    each('[{ id: common_data.id }]', { kind: 'call', workflow: 'inner', input: { id: expression('item.id') } }, 1),
  );

function through(ids: readonly string[], between: Work): Definition {
  const { workflow } = build({ name: 'step', states: [work('inner', between, [to('stop')]), end('stop')] });
  return { ...steps(ids), library: { step: workflow, inner: step('inner').workflow } };
}

function step(name: string): Definition {
  return build({
    name,
    states: [
      work('begin', { kind: 'none' }, [to('ask', { when: "common_data.id === 'asks'" }), to('code')]),
      work('ask', { kind: 'ask', question: expression("'Go on?'"), choices: [] }, [to('answered')]),
      work('answered', turn('coder', 'common_data.id'), [to('stop')], {
        timeoutMs: TIMEOUT_MS,
        on: { timeout: [to('again')] },
      }),
      work('code', turn('coder', 'common_data.id'), [to('stop')]),
      work('again', { kind: 'ask', question: expression("'Again?'"), choices: [] }, [to('stop')]),
      end('stop'),
    ],
  });
}

type Gate = ReturnType<typeof gated>;

/** An actor that does not answer until it is opened, and reports who asked. */
function gated() {
  const calls: string[] = [];
  const opened = Promise.withResolvers<void>();
  const waiters: { readonly unit: string; readonly called: () => void }[] = [];
  return {
    calls,
    open: () => opened.resolve(),
    answer: async ({ messages }: CallRequest, signal: AbortSignal): Promise<CallReply> => {
      const unit = messages.at(-1)?.content ?? '';
      calls.push(unit);
      for (const waiter of waiters) if (waiter.unit === unit) waiter.called();
      const stopped = Promise.withResolvers<never>();
      signal.addEventListener('abort', () => stopped.reject(signal.reason));
      await Promise.race([opened.promise, stopped.promise]);
      return says('done');
    },
    called(unit: string): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>();
      if (calls.includes(unit)) resolve();
      else waiters.push({ unit, called: resolve });
      return promise;
    },
  };
}

/** The journal shows it eventually; the test's own timeout bounds the wait. */
async function settled(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setImmediate(resolve));
}

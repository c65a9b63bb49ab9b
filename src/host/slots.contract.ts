import { expect, test } from 'vitest';
import type { CallReply, CallRequest } from '../actors/port.ts';
import type { Definition } from '../core/role.ts';
import { build, end, expression, to, turn, work } from './testing/build-definition.ts';
import type { HostBench } from './testing/host-bench.ts';
import { says, testWorld } from './testing/test-world.ts';

/** Slots of a pool whose units are runs of their own (Q1, Q3). */
export function hostSlots({ host, makeHost, makeJournal }: HostBench): void {
  test('[Q3] a unit that waits for a person leaves its slot to the next one', async () => {
    const one = host(testWorld({ journal: await makeJournal(), answer: () => says('done') }));
    const run = await one.start({ definition: steps(['asks', 'works']), input: {}, project: '.' });
    const waiting = await one.rest(run);
    expect(waiting).toMatchObject({ status: 'waiting', questions: [{ text: 'Go on?' }] });
    const units = (await one.snapshot(run)).tasks['t1']?.units;
    expect(units?.['asks']).toMatchObject({ status: 'resting' });
    expect(units?.['works']).toMatchObject({ status: 'ended', outcome: 'ok' });
    await one.answer(run, { answer: 'yes', by: 'ann' });
    expect(await one.rest(run)).toMatchObject({ outcome: 'ok' });
  });

  test('[Q1] [Q3] answered, it waits until a slot is free: never more than the slots there are', async () => {
    const gate = gated();
    const one = host(testWorld({ journal: await makeJournal(), answer: gate.answer }));
    const run = await one.start({ definition: steps(['asks', 'works']), input: {}, project: '.' });
    await gate.called('works');
    await one.answer(run, { answer: 'yes', by: 'ann' });
    await settled(async () => (await one.snapshot(run)).tasks['t1']?.units?.['asks']?.status === 'returning');
    expect(gate.calls).toEqual(['works']);
    gate.open();
    expect(await one.rest(run)).toMatchObject({ outcome: 'ok' });
    expect(gate.calls).toEqual(['works', 'asks']);
  });

  test('[L6] [Q3] a unit that had no slot has none after a restart either', async () => {
    const journal = await makeJournal();
    const gate = gated();
    const first = makeHost(testWorld({ journal, answer: gate.answer }));
    const run = await first.start({ definition: steps(['asks', 'works']), input: {}, project: '.' });
    await gate.called('works');
    await settled(async () => (await first.snapshot(run)).tasks['t1']?.units?.['asks']?.status === 'resting');
    await first.shutdown();
    const again = gated();
    const second = host(testWorld({ journal, answer: again.answer, owner: 'second' }));
    await second.resume(run);
    await again.called('works');
    await second.answer(run, { answer: 'yes', by: 'ann' });
    await settled(async () => (await second.snapshot(run)).tasks['t1']?.units?.['asks']?.status === 'returning');
    expect(again.calls).toEqual(['works']);
    again.open();
    expect(await second.rest(run)).toMatchObject({ outcome: 'ok' });
    expect(again.calls).toEqual(['works', 'asks']);
  });
}

/** One slot; each unit is a run that may ask a person before its agent speaks. */
function steps(ids: readonly string[]): Definition {
  const child = build({
    name: 'step',
    states: [
      work('begin', { kind: 'none' }, [to('ask', { when: "common_data.id === 'asks'" }), to('code')]),
      work('ask', { kind: 'ask', question: expression("'Go on?'"), choices: [] }, [to('code')]),
      work('code', turn('coder', 'common_data.id'), [to('stop')]),
      end('stop'),
    ],
  });
  const parent = build({
    data: { steps: ids.map((id) => ({ id })) },
    states: [
      work(
        'pool',
        {
          kind: 'pool',
          units: {
            kind: 'items',
            items: expression('common_data.steps'),
            work: { kind: 'call', workflow: 'step', input: { id: expression('item.id') } },
          },
          slots: 1,
          join: { rule: 'all' },
          grow: null,
        },
        [to('stop')],
      ),
      end('stop'),
    ],
  });
  return { ...parent, roles: { ...parent.roles, ...child.roles }, library: { step: child.workflow } };
}

/** An actor that answers nobody until it is opened, and says who asked. */
function gated() {
  const calls: string[] = [];
  const opened = Promise.withResolvers<void>();
  const waiters: { readonly unit: string; readonly called: () => void }[] = [];
  return {
    calls,
    open: () => opened.resolve(),
    answer: async ({ messages }: CallRequest): Promise<CallReply> => {
      const unit = messages.at(-1)?.content ?? '';
      calls.push(unit);
      for (const waiter of waiters) if (waiter.unit === unit) waiter.called();
      await opened.promise;
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

/** The journal tells of it sooner or later; the test's own time limit is the end of patience. */
async function settled(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setImmediate(resolve));
}

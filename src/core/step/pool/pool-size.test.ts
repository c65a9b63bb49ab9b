import { expect, test } from 'vitest';
import { taskId } from '../../model/ids.ts';
import type { Task, Unit } from '../../fold/snapshot.ts';
import { addUnits, isEveryUnitEnded, openUnits, unitOf } from '../../fold/units.ts';
import { definitionOf, end, pool, to, work } from '../../testing/definitions.ts';
import { literal } from '../../testing/expressions.ts';
import { TestedRun } from '../../testing/tested-run.ts';

const POOL = taskId('t1');
const SIZE = 100_000;

const child = { kind: 'call', workflow: 'child', input: {} } as const;

function started(size: number): TestedRun {
  const items = Array.from({ length: size }, (_, index) => ({ id: `u${index}` }));
  const what = pool({ kind: 'items', items: literal(items), work: child }, {});
  return new TestedRun(definitionOf([work('start', what, { transitions: [to('stop')] }), end()]));
}

function endNext(run: TestedRun): void {
  const task = Object.values(run.snapshot.tasks).find(({ unit }) => unit !== null);
  run.send({ kind: 'task.done', task: task?.id ?? POOL, outcome: 'ok', output: null, failure: null });
}

const pagesOf = (run: TestedRun) => run.snapshot.tasks[POOL]?.units ?? [];

test('[L2] a unit that ends leaves the other 99,999 of its pool where they are, and all but a few hundred in their pages', () => {
  const run = started(SIZE);
  const before = pagesOf(run);
  expect(before.flat()).toHaveLength(SIZE);
  endNext(run);
  const after = pagesOf(run);
  expect(after[0]?.[0]).toMatchObject({ id: 'u0', status: 'ended' });
  expect(after.filter((page, index) => page !== before[index])).toHaveLength(1);
  expect(after[0]?.length).toBeLessThan(500);
});

test('[L2] a pool of 100,000 units reads only a few of them when one ends, and the units that have ended are not read again', () => {
  const run = started(SIZE);
  const reads = { count: 0 };
  for (let ended = 0; ended < 600; ended += 1) endNext(run);
  const open = Object.values(run.snapshot.tasks).find(({ unit }) => unit !== null);
  const pages = pagesOf(run).map((page) => counted(page, reads));
  // What is known of the list is found out anew for a copy.
  const copied = addUnits(
    { ...(run.snapshot.tasks[POOL] as Task), units: pages },
    { kind: 'units.added', task: POOL, units: [], by: null },
  );
  expect(unitOf(copied.units, 'u5')?.status).toBe('ended');
  reads.count = 0;
  expect(isEveryUnitEnded(copied.units ?? [])).toBe(false);
  const [next] = openUnits(copied.units ?? []);
  expect(next?.status).toBe('running');
  expect(next?.id).toBe(open?.unit);
  expect(reads.count).toBeLessThan(10);
});

test('[L5] every one of 1,000 units ends with an outcome, in the order in which they joined', () => {
  const run = started(1000);
  while (run.snapshot.status !== 'settled') endNext(run);
  const ended = run.ofKind('task.ended').map(({ task }) => task);
  expect(ended).toHaveLength(1001);
  expect(run.snapshot.result).toMatchObject({ outcome: 'ok' });
});

/** A page that counts how often one of its items is read. */
const counted = (page: readonly Unit[], reads: { count: number }): readonly Unit[] =>
  new Proxy(page as Unit[], {
    get(target, key): unknown {
      if (typeof key === 'string' && /^\d+$/.test(key)) reads.count += 1;
      return Reflect.get(target, key);
    },
  });

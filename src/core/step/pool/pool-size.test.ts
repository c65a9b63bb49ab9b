import { expect, test } from 'vitest';
import { taskId } from '../../model/ids.ts';
import { judgeJoin } from './join.ts';
import type { Unit } from '../../fold/snapshot.ts';
import { definitionOf, end, pool, to, work } from '../../testing/definitions.ts';
import { literal } from '../../testing/expressions.ts';
import { TestedRun } from '../../testing/tested-run.ts';

const POOL = taskId('t1');
const SIZE = 2000;

/** A list that counts how often one of its items is read. */
function counted(units: readonly Unit[]): { readonly units: readonly Unit[]; readonly reads: () => number } {
  let reads = 0;
  const list = new Proxy(units as Unit[], {
    get(target, key): unknown {
      if (typeof key === 'string' && /^\d+$/.test(key)) reads += 1;
      return Reflect.get(target, key);
    },
  });
  return { units: list, reads: () => reads };
}

test('[L2] a unit that ends leaves the other 1,999 of its pool as they are, and the pool is judged by a few of them', () => {
  const items = Array.from({ length: SIZE }, (_, index) => ({ id: `u${index}` }));
  const child = { kind: 'call', workflow: 'child', input: {} } as const;
  const what = pool({ kind: 'items', items: literal(items), work: child }, {});
  const run = new TestedRun(definitionOf([work('start', what, { transitions: [to('stop')] }), end()]));
  const before = run.snapshot.tasks[POOL]?.units ?? [];
  expect(before).toHaveLength(SIZE);
  const task = Object.values(run.snapshot.tasks).find(({ unit }) => unit === 'u0');
  run.send({ kind: 'task.done', task: task?.id ?? POOL, outcome: 'ok', output: null, failure: null });
  const after = run.snapshot.tasks[POOL]?.units ?? [];
  expect(after[0]).toMatchObject({ id: 'u0', status: 'ended' });
  expect(after.filter((unit, index) => unit !== before[index]).length).toBeLessThan(5);
  const { units, reads } = counted(after);
  expect(judgeJoin({ rule: 'all' }, units)).toBeNull();
  expect(reads()).toBeLessThan(5);
});

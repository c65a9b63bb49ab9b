import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import type { Fact } from '../core/record/fact.ts';
import { startedRun } from '../core/testing/started-run.ts';
import { OverlapWatch } from './overlap-view.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
setFlagsFromString('--no-expose-gc');

test('[Q9] a run below that has ended is kept in memory no longer', async () => {
  const watch = new OverlapWatch();
  const take = (run: string, fact: Fact): void => void watch.take('r', run, { seq: 1, at: 1, fact });
  const begin = (run: string): WeakRef<object> => {
    const data = { of: run };
    take(run, startedRun(run, { data }));
    return new WeakRef(data);
  };
  take('r', startedRun('r'));
  const [ended, goesOn] = [begin('r/t1'), begin('r/t2')];
  take('r/t1', { kind: 'run.settled', outcome: 'ok', output: null, failure: null });
  await nextTurn();
  collect();
  expect([ended.deref(), goesOn.deref()]).toEqual([undefined, { of: 'r/t2' }]);
  expect(watch.take('r', 'r/t2', { seq: 2, at: 2, fact: { kind: 'run.cancelled', by: 'a', reason: '' } })).toEqual([]);
});

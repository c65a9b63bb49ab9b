import { historyOf, visitsOfStates } from './run-history.ts';
import { describe, expect, test } from 'vitest';
import { rewoundState } from '../../src/core/history/rewind.ts';
import { BROKEN, by, entered, smallRun, turn } from './testing/small-run.ts';
import { recordedLines, recordedTree } from './testing/recorded-tree.ts';
import { emptyTree, takeLines, type RunNode } from './run-tree.ts';
import { ended, settled } from '../../src/protocol/workflow-state/testing/test-records.ts';

const rootOf = (name: 'demo' | 'review' | 'quest'): RunNode => {
  const tree = recordedTree(name);
  const run = tree.runs.get(tree.root);
  if (run === undefined) throw new Error('not recorded');
  return run;
};

describe('[U2] the steps of a run', () => {
  test('a real run of two rounds has every visit with its outcome and its tasks', () => {
    const { list, current } = historyOf(rootOf('demo')).visits;
    expect(list.map(({ state, visit, outcome, tasks }) => [state, visit, outcome, tasks])).toEqual([
      ['start', 1, 'ok', []],
      ['code', 1, 'ok', ['t1']],
      ['review', 1, 'ok', ['t2']],
      ['code', 2, 'ok', ['t3']],
      ['review', 2, 'ok', ['t4']],
      ['stop', 1, 'ok', []],
    ]);
    expect(list.every(({ leftAt, enteredAt }) => leftAt !== null && leftAt >= enteredAt)).toBe(true);
    expect(current?.from).toEqual({ state: 'review', outcome: 'ok', transition: 1 });
  });

  test('counts are those of the engine', () => {
    for (const name of ['demo', 'review', 'quest'] as const) {
      for (const run of recordedTree(name).runs.values()) {
        const counted = Map.groupBy(historyOf(run).visits.counting, ({ state }) => state);
        expect(Object.fromEntries([...counted].map(([state, visits]) => [state, visits.length]))).toEqual(
          run.snapshot.visits,
        );
      }
    }
  });

  test('line by line it is the same as all at once, and unchanged parts stay the same objects', () => {
    let tree = emptyTree('run-1');
    const seen = new Set<unknown>();
    for (const line of recordedLines('review')) {
      ({ tree } = takeLines(tree, [line]));
      const run = tree.runs.get('run-1');
      if (run !== undefined) seen.add(historyOf(run).visits);
    }
    const run = tree.runs.get('run-1');
    expect(run === undefined ? null : historyOf(run).visits).toEqual(historyOf(rootOf('review')).visits);
    expect(seen.size).toBeLessThan(rootOf('review').count);
  });

  test('a failure is shown with the visit it happened in', () => {
    const run = smallRun(
      entered('plan', 1),
      turn('t1', 'plan'),
      ended('t1', 'failed', BROKEN),
      entered('mend', 1, by('plan', 'failed')),
    );
    const { list, current } = historyOf(run).visits;
    expect(list[0]).toMatchObject({ state: 'plan', outcome: 'failed', failure: { code: 'BROKEN' }, leftAt: 5000 });
    expect(current).toMatchObject({ state: 'mend', leftAt: null, outcome: null });
  });

  test('what is put back is undone, and the visit it stood in goes on; putting that back brings it again', () => {
    const before = [entered('a', 1), entered('b', 1, by('a')), entered('c', 1, by('b')), settled()];
    const then = smallRun(...before.slice(0, 2)).snapshot;
    const over = smallRun(...before).snapshot;
    const rewound = { kind: 'run.rewound', to: 3, by: 'ada', state: rewoundState(then, 6000) };
    const once = historyOf(smallRun(...before, rewound)).visits;
    expect(once.list.map(({ state, isUndone, leftAt }) => [state, isUndone, leftAt])).toEqual([
      ['a', false, 3000],
      ['b', false, null],
      ['c', true, 5000],
    ]);
    expect(once.current?.state).toBe('b');
    const again = { kind: 'run.rewound', to: 5, by: 'ada', state: rewoundState(over, 7000) };
    const twice = historyOf(smallRun(...before, rewound, again)).visits;
    expect(twice.list.map(({ isUndone }) => isUndone)).toEqual([false, false, false]);
  });
});

test('[U2] several states that are one thing have the visits in which something was done', () => {
  const tree = recordedTree('review');
  const run = tree.runs.get(tree.root);
  if (run === undefined) throw new Error('not recorded');
  const states = ['implement', 'start', 'open', 'implemented'];
  expect(visitsOfStates(run, states).map(({ state }) => state)).toEqual(['open', 'implement']);
  expect(visitsOfStates(run, ['start']).map(({ state }) => state)).toEqual(['start']);
});

test('[U2] a run ends when it settles, not with later records', () => {
  const run = smallRun(entered('a', 1), settled(), { kind: 'run.resumed', epoch: 2 });
  expect(run.snapshot.clock.endedAt).toBe(3000);
  expect(smallRun(entered('a', 1)).snapshot.clock.endedAt).toBeNull();
});

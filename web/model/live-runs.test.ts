import { describe, expect, test } from 'vitest';
import type { Fact } from '../../src/core/record/fact.ts';
import { rewoundState } from '../../src/core/history/rewind.ts';
import { runStatusText } from '../run/run-words.ts';
import { limitFields } from '../run/steering/raised-limits.ts';
import { timelineRows } from '../run/timeline/timeline-rows.ts';
import { agentsNow } from './agents-now.ts';
import { emptyTree, liveRunsOf, type RunTree, takeLines } from './run-tree.ts';
import { steeredOf } from './steering-reasons.ts';
import { entered, smallRun, turn } from './testing/small-run.ts';
import { startedRun } from '../../src/core/testing/started-run.ts';

const call = {
  kind: 'task.started',
  task: 't1',
  state: 's',
  pool: null,
  unit: null,
  work: { kind: 'call', workflow: 'sub', input: {} },
  deadline: null,
};
const limit = { kind: 'limit.reached', limit: 'tokens', used: 5, allowed: 5, state: 's', visit: 1 };

/** A run that calls another one, in which an agent works and a limit was met. */
function calling(...later: readonly object[]): RunTree {
  const own = [startedRun('r'), entered('s', 1), call, ...later];
  const below = [startedRun('r/t1'), entered('s', 1), turn('t1', 's'), limit];
  const lines = (run: string, facts: readonly object[]) =>
    facts.map((fact, index) => {
      const seq = index + 1;
      return { run, record: { seq, at: seq * 1000, fact: fact as Fact, commit: seq } };
    });
  return takeLines(emptyTree('r'), [...lines('r', own), ...lines('r/t1', below)]).tree;
}

describe('[U2] [PH7] a run below that its parent was put back to before', () => {
  const then = smallRun(entered('s', 1)).snapshot;
  const rewound = { kind: 'run.rewound', to: 2, by: 'ada', state: rewoundState(then, 9000) };
  const [going, back] = [calling(), calling(rewound)];

  test('goes on until then, and not any more', () => {
    expect(liveRunsOf(going).map(({ run }) => run)).toEqual(['r', 'r/t1']);
    expect(liveRunsOf(back).map(({ run }) => run)).toEqual(['r']);
  });

  test('does not pause the whole run', () => {
    expect([runStatusText(going), runStatusText(back)]).toEqual(['paused', 'running']);
    expect([steeredOf(going)?.isStill, steeredOf(back)?.isStill]).toEqual([true, false]);
    const met = (tree: RunTree): readonly string[] =>
      limitFields(tree).flatMap((one) => (one.isMet ? [one.limit] : []));
    expect([met(going), met(back)]).toEqual([['tokens'], []]);
  });

  test('has no agent at work, and its bars do not grow', () => {
    expect(agentsNow(going)).toMatchObject([{ run: 'r/t1', status: 'working' }]);
    expect(agentsNow(back)).toMatchObject([{ run: 'r/t1', status: 'idle', doing: null }]);
    const ends = (tree: RunTree) =>
      timelineRows(tree, () => true).flatMap((row) =>
        row.kind === 'lane' ? row.bars.map(({ bar }) => bar.endedAt) : [],
      );
    expect(ends(going)).toContain(null);
    expect(ends(back)).not.toContain(null);
  });
});

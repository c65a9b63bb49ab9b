import type { Fact } from '../../../src/core/record/fact.ts';
import { takeLines, type RunTree } from '../run-tree.ts';
import { startedRun } from '../../../src/core/testing/started-run.ts';
import { answered, entered, smallTree, turn } from './small-run.ts';

const OK = { outcome: 'ok', output: null, failure: null };
const ended = (task: string, how: object = OK): object => ({ kind: 'task.ended', task, ...how });
const work = { kind: 'turn', agent: 'ada', context: 'talk', input: 'Go.' };

/** What a turn apart began with, in the run above and in the run below. */
const ordered = (task: string): object => turn(task, 's', { work: { ...work, apart: true } });
const begun = (task: string): readonly object[] => [
  { ...startedRun(`r/${task}`), apart: { state: 's', visit: 1, work } },
  entered('s', 1),
  turn('t1', 's', { work }),
];

/** A run whose agent has a turn that a run below takes; with `isOver`, both have ended. */
export function apartTree(isOver: boolean): RunTree {
  return isOver ? afterTurn() : withTurn(smallTree(entered('s', 1), ordered('t1')), 't1', []);
}

/** The same agent, with another turn after the first: in a second run below, or (`isApart` false) in the run itself. */
export const apartTwice = (isApart: boolean): RunTree =>
  isApart
    ? withTurn(afterTurn(ordered('t2')), 't2', [answered('t1')])
    : afterTurn(turn('t2', 's', { work }), answered('t2'));

/** The turn of a client fails below, with what comes after its end in the run above. */
export function failedTurn(failure: object, ...after: readonly object[]): RunTree {
  const failed = { outcome: 'failed', output: null, failure };
  const call = { kind: 'call.failed', task: 't1', call: 1, attempt: 1, failure, retryAt: null };
  const above = smallTree(entered('s', 1), ordered('t1'), ended('t1', failed), ...after);
  const noted = { kind: 'session.noted', task: 't1', agent: 'ada', actor: 'claude-code', session: 'x', how: 'new' };
  return withTurn(above, 't1', [noted, call, ended('t1', failed), { kind: 'run.settled', ...failed }]);
}

const afterTurn = (...more: readonly object[]): RunTree =>
  withTurn(smallTree(entered('s', 1), ordered('t1'), ended('t1'), ...more), 't1', [
    answered('t1'),
    ended('t1'),
    { kind: 'run.settled', ...OK },
  ]);

function withTurn(tree: RunTree, task: string, facts: readonly object[]): RunTree {
  const lines = [...begun(task), ...facts].map((fact, index) => ({
    run: `r/${task}`,
    record: { seq: index + 1, at: (index + 3) * 1000, fact: fact as Fact, commit: index + 10 },
  }));
  return takeLines(tree, lines).tree;
}

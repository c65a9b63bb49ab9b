import { runTime, timeBetween, type WorkTime } from '../../src/core/work-clock.ts';
import type { Visit } from '../../src/protocol/history/visits.ts';
import { historyOf } from './run-history.ts';
import type { RunNode } from './run-tree.ts';

/** How long a visit has taken by a moment; nothing is added once it was left. */
export const visitTime = ({ snapshot }: RunNode, { before, time }: Visit, at: number): WorkTime =>
  time ?? timeBetween(before, runTime(snapshot.clock, at));

/** The visits of a node: of several states that are one thing, only where something was done. */
export function visitsOfStates(run: RunNode, states: readonly string[]): readonly Visit[] {
  const own = historyOf(run).visits.list.filter(({ state }) => states.includes(state));
  const worked = own.filter(({ tasks }) => tasks.length > 0);
  return states.length === 1 || worked.length === 0 ? own : worked;
}

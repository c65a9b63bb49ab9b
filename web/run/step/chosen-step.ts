import type { Visit } from '../../../src/protocol/history/visits.ts';
import { historyOf } from '../../model/run-history.ts';
import type { RunNode } from '../../model/run-tree.ts';
import type { Selection } from '../../model/selection.ts';

/** The visit that the address means; without a step in it, the last one that did some work. */
export function chosenStep(run: RunNode, { state, visit, seq }: Selection): Visit | null {
  const { list, counting } = historyOf(run).visits;
  if (state === undefined) return counting.findLast(({ tasks }) => tasks.length > 0) ?? counting.at(-1) ?? null;
  const own = list.filter((one) => one.state === state);
  return (
    own.find((one) => one.seq === seq) ??
    own.findLast((one) => one.visit === visit && !one.isUndone) ??
    own.findLast(({ isUndone }) => !isUndone) ??
    own.at(-1) ??
    null
  );
}

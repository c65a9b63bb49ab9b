import { parentTask } from '../../src/core/fold/open-children.ts';
import { totalTokens, type CostUsd } from '../../src/core/model/usage.ts';
import { historyOf, visitTime } from '../model/run-history.ts';
import type { RunNode, RunTree } from '../model/run-tree.ts';
import { sumSpent } from '../run/totals/tree-totals.ts';

/** What a run did in one of its states, over all visits. */
export interface StateFigures {
  readonly state: string;
  readonly visits: number;
  readonly ms: number;
  readonly tokens: number;
  readonly costUsd: CostUsd;
  /** How it was left the last time; null while it is there. */
  readonly outcome: string | null;
}

/**
 * By the order in which the states were first entered; runs below count for the state that started them, so that all states
 * together cost what the whole run did. Undone work is no visit, but was paid for.
 */
export function runFigures(tree: RunTree): readonly StateFigures[] {
  const root = tree.runs.get(tree.root);
  if (root === undefined) return [];
  const visits = Map.groupBy(historyOf(root).visits.counting, ({ state }) => state);
  const spent = Map.groupBy(
    [...tree.runs.values()].flatMap((run) =>
      historyOf(run).spent.map((one) => ({ ...one, state: startedIn(root, run) ?? one.state })),
    ),
    ({ state }) => state,
  );
  return [...new Set([...visits.keys(), ...spent.keys()])].map((state) => {
    const own = visits.get(state) ?? [];
    const { usage, costUsd } = sumSpent(spent.get(state) ?? []);
    return {
      state,
      visits: own.length,
      ms: own.reduce((sum, visit) => sum + visitTime(root, visit, root.snapshot.at).workedMs, 0),
      tokens: totalTokens(usage),
      costUsd,
      outcome: own.findLast(({ outcome }) => outcome !== null)?.outcome ?? null,
    };
  });
}

/** The state of the root whose work a run below does; null for the root itself. */
function startedIn(root: RunNode, { run }: RunNode): string | null {
  if (run === root.run) return null;
  const task = parentTask(run.slice(root.run.length + 1).split('/', 1)[0] ?? '');
  return historyOf(root).bars.findLast((bar) => bar.task === task)?.state ?? '';
}

export interface ComparedState {
  readonly state: string;
  readonly a: StateFigures | null;
  readonly b: StateFigures | null;
}

/** Side by side by the state's name: first as in A, then what only B has. */
export function aligned(a: readonly StateFigures[], b: readonly StateFigures[]): readonly ComparedState[] {
  const names = [...new Set([...a, ...b].map(({ state }) => state))];
  const find = (figures: readonly StateFigures[], state: string): StateFigures | null =>
    figures.find((one) => one.state === state) ?? null;
  return names.map((state) => ({ state, a: find(a, state), b: find(b, state) }));
}

import { historyOf, runName } from '../../model/run-history.ts';
import type { Snapshot } from '../../../src/core/fold/snapshot.ts';
import { totalTokens } from '../../../src/core/model/usage.ts';
import { runTime } from '../../../src/core/fold/work-clock.ts';
import { Spending } from '../../../src/protocol/metrics/counters.ts';
import type { RunTree } from '../../model/run-tree.ts';
import type { SpentFigures, SpentOn } from '../../../src/protocol/history/history-fold.ts';

/** A line of the roll-up. */
export interface RollUp extends SpentFigures {
  readonly key: string;
  readonly name: string | null;
  readonly parts: readonly (SpentFigures & { readonly key: string; readonly name: string | null })[];
}

/** What the run and all below it spent. */
export function treeSpent(tree: RunTree): SpentFigures {
  return sumSpent([...tree.runs.values()].flatMap((run) => historyOf(run).spent));
}

/** Agent by agent, with the states they spent it in; most first. */
export function spentByAgent(tree: RunTree): readonly RollUp[] {
  return spentByAgentIn([...tree.runs.values()].flatMap((run) => historyOf(run).spent));
}

/** Run by run, with the agents who spent it, in the order in which the runs began. */
export function spentByRun(tree: RunTree): readonly RollUp[] {
  return [...tree.runs.values()].flatMap((run) => {
    const spent = historyOf(run).spent;
    if (spent.length === 0) return [];
    const name = run.run === tree.root ? run.snapshot.workflow : `${runName(tree, run.run)} · ${run.snapshot.workflow}`;
    return [{ key: run.run, name, ...sumSpent(spent), parts: spentByAgentIn(spent) }];
  });
}

function spentByAgentIn(all: readonly SpentOn[]): readonly RollUp[] {
  const groups = [...Map.groupBy(all, ({ agent }) => agent)].map(([name, own]): RollUp => ({
    key: name ?? '',
    name,
    ...sumSpent(own),
    parts: [...Map.groupBy(own, ({ state }) => state)].map(([state, ones]) => ({
      key: state,
      name: state,
      ...sumSpent(ones),
    })),
  }));
  return groups.toSorted((a, b) => totalTokens(b.usage) - totalTokens(a.usage));
}

export function sumSpent(all: readonly SpentFigures[]): SpentFigures {
  const sum = new Spending();
  for (const spent of all) sum.add(spent);
  return { ...sum.figures, knownCostUsd: all.reduce((known, spent) => known + spent.knownCostUsd, 0) };
}

/** A limit that exists, and how much of it is used. */
export interface Budget {
  readonly limit: 'tokens' | 'usd' | 'durationMs' | 'iterations';
  /** Null: it cannot be known. */
  readonly used: number | null;
  readonly allowed: number;
}

/** Somebody said to continue although the cost is not known. */
const UNWATCHED = Number.MAX_SAFE_INTEGER;
const NEAR = 0.8;

export function budgetsOf(snapshot: Snapshot, spent: SpentFigures, now: number): readonly Budget[] {
  const { limits, visits } = snapshot;
  const most = Math.max(0, ...Object.values(visits));
  const all: readonly (Omit<Budget, 'allowed'> & { readonly allowed: number | undefined })[] = [
    { limit: 'tokens', used: totalTokens(spent.usage), allowed: limits.tokens },
    { limit: 'usd', used: spent.costUsd, allowed: limits.usd === UNWATCHED ? undefined : limits.usd },
    { limit: 'durationMs', used: runTime(snapshot.clock, now).workedMs, allowed: limits.durationMs },
    // Every run has this one: it is worth a word when it comes near.
    { limit: 'iterations', used: most, allowed: most >= limits.iterations * NEAR ? limits.iterations : undefined },
  ];
  return all.flatMap(({ allowed, ...budget }) => (allowed === undefined ? [] : [{ ...budget, allowed }]));
}

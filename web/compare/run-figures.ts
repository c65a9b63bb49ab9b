import { historyOf } from '../model/run-history.ts';
import { chargeOf } from '../../src/core/charge.ts';
import type { JournalRecord } from '../../src/core/fact.ts';
import { addCost, addUsage, NO_USAGE, totalTokens, type CostUsd, type Usage } from '../../src/core/usage.ts';
import type { RunNode } from '../model/run-tree.ts';
import { visitTime } from '../model/visits.ts';

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

interface Counting {
  visits: number;
  ms: number;
  usage: Usage;
  costUsd: CostUsd;
  outcome: string | null;
}

/** By the order in which the states were first entered. What was undone is no visit, but was paid for. */
export function runFigures(run: RunNode): readonly StateFigures[] {
  const states = new Map<string, Counting>();
  const tasks = new Map<string, string>();
  const records = run.lines.slice(0, run.count).map(({ record }) => record);
  for (const visit of historyOf(run).visits.counting) {
    const known = counting(states, visit.state);
    known.visits += 1;
    known.ms += visitTime(run, visit, run.snapshot.at).workedMs;
    known.outcome = visit.outcome ?? known.outcome;
  }
  for (const { fact } of records) {
    if (fact.kind === 'task.started') tasks.set(fact.task, fact.state);
    else if (fact.kind === 'run.forked') begin(states);
    else spend(states, tasks, fact);
  }
  return [...states].map(([state, { usage, ...figures }]) => ({ state, tokens: totalTokens(usage), ...figures }));
}

function counting(states: Map<string, Counting>, state: string): Counting {
  const known = states.get(state) ?? { visits: 0, ms: 0, usage: NO_USAGE, costUsd: 0, outcome: null };
  states.set(state, known);
  return known;
}

/** What came before the fork was paid by the run it comes from. */
function begin(states: ReadonlyMap<string, Counting>): void {
  for (const known of states.values()) Object.assign(known, { usage: NO_USAGE, costUsd: 0 });
}

/** Calls of its own agents, also those that failed, and all that sub-agents and child runs used when they are over. */
function spend(states: Map<string, Counting>, tasks: ReadonlyMap<string, string>, fact: JournalRecord['fact']): void {
  const spent = chargeOf(fact);
  const state = spent === null ? undefined : tasks.get(spent.task);
  if (state === undefined || spent === null) return;
  const known = counting(states, state);
  known.usage = addUsage(known.usage, spent.usage);
  known.costUsd = addCost(known.costUsd, spent.costUsd);
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

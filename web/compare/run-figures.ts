import type { JournalRecord } from '../../src/core/fact.ts';
import { addCost, addUsage, NO_USAGE, totalTokens, type CostUsd, type Usage } from '../../src/core/usage.ts';
import type { RunState } from '../model/run-tree.ts';

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

/** By the order in which the states were first entered. */
export function runFigures({ lines, count, snapshot }: RunState): readonly StateFigures[] {
  const states = new Map<string, Counting>();
  const tasks = new Map<string, string>();
  let present: { readonly state: string; readonly since: number } | null = null;
  for (const { record } of lines.slice(0, count)) {
    const { fact, at } = record;
    if (fact.kind === 'state.entered') {
      leave(states, present, at);
      if (fact.from !== null) counting(states, fact.from.state).outcome = fact.from.outcome;
      counting(states, fact.state).visits += 1;
      present = { state: fact.state, since: at };
    }
    if (fact.kind === 'task.started') tasks.set(fact.task, fact.state);
    if (fact.kind === 'run.settled') {
      leave(states, present, at);
      if (present !== null) counting(states, present.state).outcome = fact.outcome;
      present = null;
    }
    spend(states, tasks, fact);
  }
  leave(states, present, snapshot.at);
  return [...states].map(([state, { usage, ...figures }]) => ({ state, tokens: totalTokens(usage), ...figures }));
}

function counting(states: Map<string, Counting>, state: string): Counting {
  const known = states.get(state) ?? { visits: 0, ms: 0, usage: NO_USAGE, costUsd: 0, outcome: null };
  states.set(state, known);
  return known;
}

function leave(
  states: Map<string, Counting>,
  present: { readonly state: string; readonly since: number } | null,
  at: number,
): void {
  if (present !== null) counting(states, present.state).ms += Math.max(0, at - present.since);
}

/** Calls of its own agents, and all that a child run used when it is over. */
function spend(states: Map<string, Counting>, tasks: ReadonlyMap<string, string>, fact: JournalRecord['fact']): void {
  if (fact.kind !== 'call.answered' && fact.kind !== 'task.ended') return;
  const state = tasks.get(fact.task);
  if (state === undefined || fact.usage === undefined) return;
  const known = counting(states, state);
  known.usage = addUsage(known.usage, fact.usage);
  known.costUsd = addCost(known.costUsd, fact.costUsd ?? 0);
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

import { historyOf } from './run-history.ts';
import { chargeOf } from '../../src/core/record/charge.ts';
import type { Fact } from '../../src/core/record/fact.ts';
import { addCost, type CostUsd } from '../../src/core/model/usage.ts';
import type { RunNode, RunTree } from './run-tree.ts';
import type { Selection } from './selection.ts';
import type { Visit } from '../../src/protocol/history/visits.ts';

/** A step of the root run that it can be taken up at again: by a fork, or when it is put back. */
export interface ForkPoint {
  readonly visit: Visit;
  /** As commands take it: `review#2`; the record's number where a later step has the same name. */
  readonly at: string;
  /** As people read it: `review`, and which visit where there were more. */
  readonly name: string;
}

/** In order. An end is none: there is nothing to continue with. */
export function forkPoints(run: RunNode): readonly ForkPoint[] {
  const { list, counting } = historyOf(run).visits;
  const states = run.definition?.workflow.states ?? {};
  return counting
    .filter(({ state }) => states[state]?.kind !== 'end')
    .map((visit) => ({ visit, at: stepWord(visit, list), name: stepName(visit, list) }));
}

/** A step that was undone and repeated may have the same name; commands take the last one. */
function stepWord(visit: Visit, list: readonly Visit[]): string {
  const word = `${visit.state}#${visit.visit}`;
  const last = list.findLast(({ state, visit: count }) => state === visit.state && count === visit.visit);
  return last?.seq === visit.seq ? word : String(visit.seq);
}

export function stepName({ state, visit }: Visit, list: readonly Visit[]): string {
  const isAlone = list.every((other) => other.state !== state || other.visit === visit);
  return isAlone ? state : `${state} #${visit}`;
}

/** The step an address means; of a run below, the step of the root that it was a part of. Else the one the run is in, or was last. */
export function forkPointOf(tree: RunTree, selection: Pick<Selection, 'run' | 'state' | 'visit'>): ForkPoint | null {
  const root = tree.runs.get(tree.root);
  if (root === undefined) return null;
  const points = forkPoints(root);
  const { run = tree.root, state, visit } = selection;
  if (state === undefined) return points.at(-1) ?? null;
  const chosen = chosenVisit(tree.runs.get(run), { state, visit });
  if (run === tree.root) return points.findLast((point) => point.visit.seq <= (chosen?.seq ?? Infinity)) ?? null;
  return points.findLast((point) => point.visit.enteredAt <= (chosen?.enteredAt ?? Infinity)) ?? null;
}

function chosenVisit(
  run: RunNode | undefined,
  { state, visit }: { readonly state: string; readonly visit: number | undefined },
): Visit | null {
  if (run === undefined) return null;
  const all = historyOf(run).visits.counting.filter((one) => one.state === state);
  return all.find((one) => one.visit === visit) ?? all.at(-1) ?? null;
}

/** The work since a step, which a fork would repeat. */
export interface Redone {
  /** By name, in order; how often where it was more than once. */
  readonly steps: readonly { readonly state: string; readonly count: number }[];
  readonly costUsd: CostUsd;
  readonly calls: number;
}

export function redoneFrom(tree: RunTree, { visit }: ForkPoint): Redone {
  const root = tree.runs.get(visit.run);
  const later = root === undefined ? [] : historyOf(root).visits.counting.filter(({ seq }) => seq >= visit.seq);
  const steps = new Map<string, number>();
  for (const { state } of later) steps.set(state, (steps.get(state) ?? 0) + 1);
  return { steps: [...steps].map(([state, count]) => ({ state, count })), ...spentSince(tree, visit) };
}

function spentSince(tree: RunTree, { run, seq }: Visit): Pick<Redone, 'costUsd' | 'calls'> {
  let costUsd: CostUsd = 0;
  let calls = 0;
  const entered = commitOf(tree, run, seq);
  for (const { run: of, lines, count } of tree.runs.values()) {
    for (const { record } of lines.slice(0, count)) {
      const isLater = of === run ? record.seq >= seq : record.commit > entered;
      const charge = isLater ? chargeOf(record.fact) : null;
      if (charge === null || charge.isOfChild) continue;
      costUsd = addCost(costUsd, charge.costUsd);
      calls += charge.usage.calls;
    }
  }
  return { costUsd, calls };
}

/** Where a fork left the run it came from: its own records begin as that run's. */
export function forkedAt(run: RunNode): ForkPoint | null {
  const { forkedFrom } = run.snapshot;
  if (forkedFrom === null) return null;
  const { list } = historyOf(run).visits;
  const visit = list.findLast(({ seq }) => seq <= forkedFrom.seq);
  return visit === undefined ? null : { visit, at: stepWord(visit, list), name: stepName(visit, list) };
}

/** The last step in which an agent had a turn: from there it can get a message and do the step again. */
export function lastTurnOf(tree: RunTree, agent: string): ForkPoint | null {
  const root = tree.runs.get(tree.root);
  const turns = [...tree.runs.values()].flatMap((run) => lastTurnIn(run, agent));
  const [last] = turns.toSorted((a, b) => b.commit - a.commit);
  if (last === undefined || root === undefined) return null;
  return forkPoints(root).findLast(({ visit }) => isBefore(tree, visit, last)) ?? null;
}

interface Turn {
  readonly run: string;
  readonly seq: number;
  readonly commit: number;
}

function lastTurnIn({ run, lines, count }: RunNode, agent: string): readonly Turn[] {
  const last = lines.slice(0, count).findLast(({ record: { fact } }) => isTurnOf(fact, agent));
  return last === undefined ? [] : [{ run, seq: last.record.seq, commit: last.record.commit }];
}

const isTurnOf = (fact: Fact, agent: string): boolean =>
  fact.kind === 'task.started' && fact.work.kind === 'turn' && fact.work.agent === agent;

const isBefore = (tree: RunTree, visit: Visit, { run, seq, commit }: Turn): boolean =>
  run === visit.run ? visit.seq <= seq : commitOf(tree, visit.run, visit.seq) <= commit;

const commitOf = (tree: RunTree, run: string, seq: number): number =>
  tree.runs.get(run)?.lines[seq - 1]?.record.commit ?? 0;

import { historyOf } from './run-history.ts';
import { openQuestions } from '../../src/core/open-questions.ts';
import type { Outcome } from '../../src/core/outcome.ts';
import { standsStill } from '../../src/core/stand-still.ts';
import type { GraphNode } from '../../src/protocol/web/graph-view.ts';
import { isHalted } from './halted-at.ts';
import type { RunNode, RunTree } from './run-tree.ts';
import type { Visit } from '../../src/protocol/history/visits.ts';

/** How a state of a run stands: all that its picture needs to know besides where it is. */
export interface StateMark {
  readonly status: MarkStatus;
  /** How often it was entered. */
  readonly visits: number;
  /** How the last visit came out. */
  readonly outcome: Outcome | null;
  /** The sentence of its failure. */
  readonly failure: string | null;
}

/** `asks`: it is active and a person's word is wanted. `still`: it is active, and nothing moves. `left`: it did not come to its end. */
export type MarkStatus = 'unvisited' | 'active' | 'asks' | 'still' | 'ok' | 'partial' | 'bad' | 'left';

/** Of a node inside of a run that has not begun: no run is called so. */
export const NO_RUN = '';

export const UNVISITED: StateMark = { status: 'unvisited', visits: 0, outcome: null, failure: null };

/** A node stands for one state, or for several that its author wrote as one thing. */
export function nodeMark(tree: RunTree, node: Pick<GraphNode, 'run' | 'states' | 'counted'>): StateMark {
  const { run, states, counted } = node;
  const known = tree.runs.get(run ?? NO_RUN);
  if (known === undefined) return UNVISITED;
  const { visits } = known.snapshot;
  if (states.every((state) => (visits[state] ?? 0) === 0)) return UNVISITED;
  // Entered by way of one of its helper states, it is in its first visit.
  const count = Math.max(
    1,
    counted.reduce((sum, state) => sum + (visits[state] ?? 0), 0),
  );
  const last = lastVisit(known, states);
  const outcome = last?.outcome ?? null;
  const status = statusOf(known, states, { outcome, isHalted: isHalted(tree) });
  return { status, visits: count, outcome, failure: last?.failure?.message ?? null };
}

/** The newest visit of any of these states. */
export function lastVisit(run: RunNode, states: readonly string[]): Visit | null {
  const { last } = historyOf(run).visits;
  return states.reduce<Visit | null>((newest, state) => {
    const visit = last.get(state);
    return visit !== undefined && visit.seq > (newest?.seq ?? 0) ? visit : newest;
  }, null);
}

interface HowItStands {
  readonly outcome: Outcome | null;
  readonly isHalted: boolean;
}

function statusOf({ snapshot }: RunNode, states: readonly string[], at: HowItStands): MarkStatus {
  const { outcome } = at;
  const { status, current, result } = snapshot;
  if (!states.includes(current.state)) return nodeStatus(outcome);
  if (status === 'settled') return nodeStatus(result?.outcome ?? outcome);
  if (openQuestions(snapshot).length > 0) return 'asks';
  return at.isHalted || standsStill(snapshot) ? 'still' : 'active';
}

export function nodeStatus(outcome: Outcome | null): MarkStatus {
  if (outcome === null) return 'left';
  if (outcome === 'ok') return 'ok';
  return outcome === 'partial' || outcome === 'skipped' ? 'partial' : 'bad';
}

export const isAtWork = (status: MarkStatus): boolean => status === 'active' || status === 'asks' || status === 'still';

/** Never colour alone: the word beside it. */
export const MARK_WORDS: Readonly<Record<MarkStatus, string>> = {
  unvisited: 'not reached',
  active: 'active',
  asks: 'asks',
  still: 'stands still',
  ok: 'done',
  partial: 'partly done',
  bad: 'failed',
  left: 'left',
};

import { historyOf } from './run-history.ts';
import { openQuestions } from '../../src/core/look/open-questions.ts';
import type { Outcome } from '../../src/core/model/outcome.ts';
import { isRunPaused } from '../../src/core/step/paused.ts';
import type { GraphNode } from '../../src/protocol/web/graph-view.ts';
import { isHalted, type RunNode, type RunTree } from './run-tree.ts';
import type { Visit } from '../../src/protocol/history/visits.ts';
import { outcomeStatus, type UnitMark, UNKNOWN_UNIT } from '../../src/protocol/history/units.ts';

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
type MarkStatus = 'unvisited' | 'active' | 'asks' | 'still' | 'ok' | 'partial' | 'bad' | 'left';

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
  if (!states.includes(current.state)) return outcomeStatus(outcome);
  if (status === 'settled') return outcomeStatus(result?.outcome ?? outcome);
  if (openQuestions(snapshot).length > 0) return 'asks';
  return at.isHalted || isRunPaused(snapshot) ? 'still' : 'active';
}

const isAtWork = (status: MarkStatus): boolean => status === 'active' || status === 'asks' || status === 'still';

/** The word for each state, since colour alone is not enough. */
const MARK_WORDS: Readonly<Record<MarkStatus, string>> = {
  unvisited: 'not reached',
  active: 'active',
  asks: 'asks',
  still: 'is paused',
  ok: 'done',
  partial: 'partly done',
  bad: 'failed',
  left: 'left',
};

export interface UnitPlace {
  readonly run: string | null;
  readonly state: string;
  readonly unit: string;
}

export function unitMark(tree: RunTree, { run, state, unit }: UnitPlace): UnitMark {
  const known = tree.runs.get(run ?? NO_RUN);
  return known === undefined ? UNKNOWN_UNIT : (historyOf(known).units.get(state)?.get(unit) ?? UNKNOWN_UNIT);
}

/** How a node looks now: a state by its visits, a lane by its unit. */
export interface NodeLook {
  readonly status: MarkStatus | 'queued';
  /** Never colour alone. */
  readonly word: string;
  readonly visits: number;
  readonly failure: string | null;
  /** Who does it. */
  readonly agent: string | null;
  /** The activity inside, while that is folded: `2 of 5 done`, `review`. */
  readonly inside: string;
}

export const NO_LOOK: NodeLook = { status: 'unvisited', word: '', visits: 0, failure: null, agent: null, inside: '' };

export const isSameLook = (a: NodeLook, b: NodeLook): boolean => LOOK_KEYS.every((key) => a[key] === b[key]);

const LOOK_KEYS = Object.keys(NO_LOOK) as readonly (keyof NodeLook)[];

/** `pool`: the state a lane belongs to. */
export function nodeLook(tree: RunTree, node: GraphNode, pool: string | null): NodeLook {
  if (node.kind === 'start') return NO_LOOK;
  return node.kind === 'lane' ? laneLook(tree, node, pool) : stateLook(tree, node);
}

function stateLook(tree: RunTree, node: GraphNode): NodeLook {
  const { status, visits, outcome, failure } = nodeMark(tree, node);
  const run = tree.runs.get(node.run ?? NO_RUN);
  const word = status === 'bad' || status === 'partial' ? (outcome ?? MARK_WORDS[status]) : MARK_WORDS[status];
  const inside =
    run === undefined || visits === 0
      ? ''
      : node.kind === 'pool'
        ? unitsDone(run, node)
        : isAtWork(status)
          ? childState(tree, run, node)
          : '';
  return { status, word, visits, failure, agent: agentOf(run, node), inside };
}

function agentOf(run: RunNode | undefined, { states }: GraphNode): string | null {
  const state = run?.definition?.workflow.states[states[0] ?? ''];
  if (state === undefined || state.kind === 'end') return null;
  return state.work.kind === 'turn' ? state.work.agent : null;
}

function unitsDone(run: RunNode, { states }: GraphNode): string {
  const units = states.flatMap((state) => [...(historyOf(run).units.get(state)?.values() ?? [])]);
  return units.length === 0 ? '' : `${units.filter(isOver).length} of ${units.length} done`;
}

function childState(tree: RunTree, run: RunNode, { kind }: GraphNode): string {
  const { task } = run.snapshot.current;
  return kind === 'call' && task !== null ? whereIs(tree, `${run.run}/${task}`) : '';
}

const isOver = ({ status }: UnitMark): boolean => status !== 'queued' && status !== 'active' && status !== 'resting';

function laneLook(tree: RunTree, { run, unit }: GraphNode, state: string | null): NodeLook {
  if (unit === null || state === null) return NO_LOOK;
  const mark = unitMark(tree, { run, state, unit });
  const isStill = mark.status === 'active' && isHalted(tree);
  const status = isStill ? 'still' : UNIT_LOOKS[mark.status];
  const child = mark.task !== null && mark.status === 'active' ? whereIs(tree, `${run ?? NO_RUN}/${mark.task}`) : '';
  const word = isStill ? MARK_WORDS.still : unitWord(mark, status);
  return { status, word, visits: 0, failure: status === 'bad' ? mark.reason : null, agent: mark.agent, inside: child };
}

const unitWord = (mark: UnitMark, status: NodeLook['status']): string =>
  status === 'bad' || status === 'partial' ? (mark.outcome ?? MARK_WORDS[status]) : UNIT_WORDS[mark.status];

const UNIT_LOOKS: Readonly<Record<UnitMark['status'], NodeLook['status']>> = {
  unvisited: 'unvisited',
  queued: 'queued',
  active: 'active',
  resting: 'still',
  ok: 'ok',
  partial: 'partial',
  bad: 'bad',
  left: 'left',
};

const UNIT_WORDS: Readonly<Record<UnitMark['status'], string>> = {
  unvisited: 'not begun',
  queued: 'queued',
  active: 'active',
  resting: 'waiting',
  ok: 'done',
  partial: 'partly done',
  bad: 'failed',
  left: 'left',
};

/** The state a run below is in, and so on downwards. */
function whereIs(tree: RunTree, run: string): string {
  const child = tree.runs.get(run);
  if (child === undefined || child.snapshot.status === 'settled') return '';
  const { state, task } = child.snapshot.current;
  const below = task === null ? '' : whereIs(tree, `${run}/${task}`);
  return below === '' ? state : `${state} › ${below}`;
}

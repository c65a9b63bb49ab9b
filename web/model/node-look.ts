import { historyOf } from './run-history.ts';
import type { GraphNode } from '../../src/protocol/web/graph-view.ts';
import { isAtWork, MARK_WORDS, NO_RUN, nodeMark, type MarkStatus } from './graph-state.ts';
import { isHalted } from './halted-at.ts';
import type { RunNode, RunTree } from './run-tree.ts';
import type { UnitMark } from '../../src/protocol/history/units.ts';
import { unitMark } from './unit-state.ts';

/** How a node looks now: a state by its visits, a lane by its unit. */
export interface NodeLook {
  readonly status: MarkStatus | 'queued';
  /** Never colour alone. */
  readonly word: string;
  readonly visits: number;
  readonly failure: string | null;
  /** Who does it. */
  readonly agent: string | null;
  /** What goes on inside of it, while that is not shown: `2 of 5 done`, `review`. */
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

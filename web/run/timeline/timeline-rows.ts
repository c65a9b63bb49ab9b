import { historyOf } from '../../model/run-history.ts';
import { isHalted, liveRunsOf, type RunNode, type RunTree } from '../../model/run-tree.ts';
import type { Bar, LaneName } from '../../../src/protocol/history/bars.ts';

/** A row of the time line: a lane of somebody, or the head of a run below with all it did. */
export type TimelineRow =
  | {
      readonly kind: 'lane';
      readonly key: string;
      readonly run: string;
      readonly level: number;
      readonly lane: LaneName;
      readonly bars: readonly PlacedBar[];
      /** How many bars lie above each other. */
      readonly lines: number;
    }
  | {
      readonly kind: 'run';
      readonly key: string;
      readonly run: string;
      readonly level: number;
      readonly title: string;
      readonly isOpen: boolean;
      /** The whole of it, as the run above has it or as itself. */
      readonly whole: Bar;
      readonly lines: 1;
    };

export interface PlacedBar {
  readonly bar: Bar;
  /** From 0: work of one lane that goes on at the same time lies below each other. */
  readonly line: number;
}

/** The person first, who is waited for; then agents as they came, what the engine does, and the runs below. */
export function timelineRows(tree: RunTree, isOpen: (run: string) => boolean): readonly TimelineRow[] {
  const root = tree.runs.get(tree.root);
  if (root === undefined) return [];
  const goesOn = isHalted(tree) ? 'asks' : 'all';
  const live: Live = new Map(liveRunsOf(tree).map((run) => [run, goesOn]));
  const asked = [...tree.runs.values()].flatMap((run) => lanesOf(run, live.get(run)).person);
  const person = asked.length === 0 ? [] : [laneRow({ run: tree.root, lane: PERSON, level: 0 }, asked)];
  return [...person, ...rowsOf(tree, root, { level: 0, isOpen, live })];
}

/** The live part of each run. A run without a process still waits for its answers. */
type Live = ReadonlyMap<RunNode, 'all' | 'asks'>;

interface At {
  readonly level: number;
  readonly live: Live;
  readonly isOpen: (run: string) => boolean;
}

function rowsOf(tree: RunTree, state: RunNode, at: At): readonly TimelineRow[] {
  const { run } = state;
  const { level, isOpen, live } = at;
  const { agents, engine, calls } = lanesOf(state, live.get(state));
  const own = engine.length === 0 ? [] : [laneRow({ run, lane: ENGINE, level }, engine)];
  const turns = childrenOf(tree, run).filter(isTurn);
  const lanes = [...agents].map(([agent, bars]) => {
    const all = turns.length === 0 ? bars : withTurns(bars, { turns, live, agent });
    return laneRow({ run, lane: { kind: 'agent', agent }, level }, all);
  });
  const children = [run, ...turns.map((turn) => turn.run)].flatMap((one) =>
    childrenOf(tree, one).filter((child) => !isTurn(child)),
  );
  const below = children.flatMap((child): readonly TimelineRow[] => {
    const whole = calls.get(nameOf(child)) ?? wholeOf(child, live.get(child) === 'all');
    const head = {
      kind: 'run',
      key: child.run,
      run: child.run,
      level,
      title: whole.unit ?? child.snapshot.workflow,
      isOpen: isOpen(child.run),
      whole,
      lines: 1,
    } as const;
    return isOpen(child.run) ? [head, ...rowsOf(tree, child, { level: level + 1, isOpen, live })] : [head];
  });
  return [...lanes, ...own, ...below];
}

const childrenOf = (tree: RunTree, run: string): readonly RunNode[] =>
  [...tree.runs.values()]
    .filter((child) => child.parent === run)
    .toSorted((a, b) => a.snapshot.startedAt - b.snapshot.startedAt);

/** It is a turn of the run above, and stands in the lane of its agent there. */
const isTurn = ({ snapshot }: RunNode): boolean => snapshot.apart !== null;

interface TurnsBelow {
  readonly turns: readonly RunNode[];
  readonly live: Live;
  readonly agent: string;
}

/** In place of its turns that runs below took, what these did. */
function withTurns(bars: readonly Bar[], { turns, live, agent }: TurnsBelow): readonly Bar[] {
  const taken = new Map(turns.map((turn) => [nameOf(turn), lanesOf(turn, live.get(turn)).agents.get(agent) ?? []]));
  return bars.flatMap((bar) => {
    const done = taken.get(bar.task ?? '') ?? [];
    return done.length === 0 ? [bar] : done;
  });
}

const PERSON = { kind: 'person' } as const;
const ENGINE = { kind: 'engine' } as const;

const nameOf = ({ run }: RunNode): string => run.slice(run.lastIndexOf('/') + 1);

/** Of a run that no task called: a sub-agent's. */
function wholeOf({ run, snapshot }: RunNode, isLive: boolean): Bar {
  const { result, startedAt, at, current, visits } = snapshot;
  return {
    key: run,
    run,
    lane: { kind: 'call' },
    kind: 'call',
    state: current.state,
    visit: visits[current.state] ?? 1,
    task: null,
    unit: null,
    seq: 1,
    about: snapshot.workflow,
    queuedAt: null,
    startedAt,
    endedAt: isLive ? null : at,
    clock: { run: snapshot.clock, task: null },
    outcome: result?.outcome ?? null,
    failure: result?.failure ?? null,
    waits: [],
    ticks: [],
    isUndone: false,
  };
}

interface Lanes {
  readonly agents: ReadonlyMap<string, readonly Bar[]>;
  readonly person: readonly Bar[];
  readonly engine: readonly Bar[];
  /** By task: its newest. */
  readonly calls: ReadonlyMap<string, Bar>;
}

/** Made once for each change of a run's bars; a lane in which nothing has changed stays the same list. */
function lanesOf(run: RunNode, goesOn: 'all' | 'asks' | undefined): Lanes {
  const bars = goesOn === 'all' ? historyOf(run).bars : closedBars(run, goesOn === 'asks');
  const before = KNOWN.get(run.lines);
  if (before?.bars === bars) return before.lanes;
  const kept = (name: string, own: readonly Bar[]): readonly Bar[] => {
    const old = before?.byName.get(name);
    const list = old !== undefined && isSameList(old, own) ? old : own;
    byName.set(name, list);
    return list;
  };
  const byName = new Map<string, readonly Bar[]>();
  const agents = Map.groupBy(bars, ({ lane }) => (lane.kind === 'agent' ? lane.agent : null));
  agents.delete(null);
  const lanes: Lanes = {
    agents: new Map([...agents].map(([agent, own]) => [agent ?? '', kept(`agent ${agent}`, own)])),
    person: bars.filter(({ lane }) => lane.kind === 'person'),
    engine: kept(
      'engine',
      bars.filter(({ lane }) => lane.kind === 'engine'),
    ),
    calls: new Map(bars.flatMap((bar) => (bar.lane.kind === 'call' && bar.task !== null ? [[bar.task, bar]] : []))),
  };
  KNOWN.set(run.lines, { bars, lanes, byName });
  return lanes;
}

/** Work of a run that no process drives ended with its last known record. */
function closedBars(run: RunNode, isAsking: boolean): readonly Bar[] {
  const bars = historyOf(run).bars;
  const isOver = ({ endedAt, lane }: Bar): boolean => endedAt !== null || (isAsking && lane.kind === 'person');
  if (bars.every(isOver)) return bars;
  const known = CLOSED.get(bars) ?? bars.map((bar) => (isOver(bar) ? bar : { ...bar, endedAt: run.snapshot.at }));
  CLOSED.set(bars, known);
  return known;
}

const CLOSED = new WeakMap<readonly Bar[], readonly Bar[]>();

interface KnownLanes {
  readonly bars: readonly Bar[];
  readonly lanes: Lanes;
  readonly byName: ReadonlyMap<string, readonly Bar[]>;
}

const KNOWN = new WeakMap<RunNode['lines'], KnownLanes>();

const isSameList = (a: readonly Bar[], b: readonly Bar[]): boolean =>
  a.length === b.length && a.every((bar, index) => bar === b[index]);

function laneRow(
  at: { readonly run: string; readonly lane: LaneName; readonly level: number },
  bars: readonly Bar[],
): TimelineRow {
  const placed = placedBars(bars);
  const name = at.lane.kind === 'agent' ? `agent ${at.lane.agent}` : at.lane.kind;
  const lines = placed.reduce((most, { line }) => Math.max(most, line + 1), 1);
  return { kind: 'lane', key: `${at.run} ${name}`, ...at, bars: placed, lines };
}

/** Each on the first line that is free when it begins. */
function placedBars(bars: readonly Bar[]): readonly PlacedBar[] {
  const known = PLACED.get(bars);
  if (known !== undefined) return known;
  const ends: number[] = [];
  const placed = bars
    .toSorted((a, b) => a.startedAt - b.startedAt)
    .map((bar) => {
      const free = ends.findIndex((end) => end <= bar.startedAt);
      const line = free === -1 ? ends.length : free;
      ends[line] = bar.endedAt ?? Infinity;
      return { bar, line };
    });
  PLACED.set(bars, placed);
  return placed;
}

const PLACED = new WeakMap<readonly Bar[], readonly PlacedBar[]>();

import { historyOf } from './run-history.ts';
import type { Snapshot, Task } from '../../src/core/fold/snapshot.ts';
import type { TurnProgress } from '../../src/core/fold/turn-state.ts';
import { isRunPaused } from '../../src/core/step/paused.ts';
import { unitOf } from '../../src/core/fold/units.ts';
import { taskTime, type WorkTime } from '../../src/core/fold/work-clock.ts';
import { NEW_AGENT, type AgentRecord } from '../../src/protocol/history/agents.ts';
import { withTurnsBelow } from '../../src/protocol/history/turns-below.ts';
import { haltedAt, liveRunsOf, type RunNode, type RunTree } from './run-tree.ts';

/** An agent as it is now. */
export interface AgentNow extends AgentRecord {
  readonly key: string;
  /** The run that it is an agent of. */
  readonly of: string;
  /** The run that has its last turn: that one, or one below it. */
  readonly run: string;
  readonly role: string | null;
  /** Who plays it: a client, a model's name, or the level that will choose one. */
  readonly player: string;
  readonly status: AgentActivity;
  /** Its turn under way. */
  readonly doing: AgentTurn | null;
  readonly wait: AgentWait | null;
}

export interface AgentTurn {
  readonly task: string;
  readonly state: string;
  /** How long it has taken by a moment. */
  readonly timeAt: (at: number) => WorkTime;
  /** When it was cut off, because the run came to a halt; null while time passes for it. */
  readonly until: number | null;
}

/** `idle`: it had no turn yet, or none now and the last one came out well. */
export type AgentActivity = 'working' | 'waiting' | 'idle' | 'bad';

export interface AgentWait {
  readonly why: 'person' | 'quota' | 'retry' | 'slot' | 'still' | 'halted';
  readonly until: number | null;
}

/** Those at work first; then in order of their first turn; then those that had none yet. */
export function agentsNow(tree: RunTree): readonly AgentNow[] {
  const live = new Set(liveRunsOf(tree));
  const now = { halted: haltedAt(tree), live };
  const agents = agentsIn(tree);
  const all = [...tree.runs.values()].flatMap((run) => [
    ...(agents.get(run.run) ?? []).map((record) => nowOf(run, record, { tree, ...now })),
    ...notYet(tree, run),
  ]);
  const order = (agent: AgentNow): number => (agent.doing === null ? 1 : 0) + (agent.tasks.length === 0 ? 1 : 0);
  return all.toSorted((a, b) => order(a) - order(b) || a.firstAt - b.firstAt);
}

const agentsIn = ({ runs }: RunTree): ReadonlyMap<string, readonly AgentRecord[]> =>
  withTurnsBelow(
    new Map(
      [...runs].map(([id, run]) => [id, { agents: historyOf(run).agents, isApart: run.snapshot.apart !== null }]),
    ),
  );

interface TreeNow {
  readonly tree: RunTree;
  readonly live: ReadonlySet<RunNode>;
  /** See `haltedAt`. */
  readonly halted: number | null;
}

function nowOf(of: RunNode, record: AgentRecord, { tree, live, halted }: TreeNow): AgentNow {
  const ordered = live.has(of) ? openTask(of, record.tasks) : null;
  const run = turnRun(tree, of, ordered?.id ?? record.tasks.at(-1)) ?? of;
  const task = run === of ? ordered : live.has(run) ? openTask(run, Object.keys(run.snapshot.tasks)) : null;
  const wait = task === null ? null : waitOf(run, task, halted);
  return {
    ...record,
    key: `${of.run} ${record.agent}`,
    of: of.run,
    run: run.run,
    ...played(of, record),
    status: statusOf(record, task, wait),
    doing: task === null ? null : turnNow(run, task, halted),
    wait,
  };
}

/** The run below that takes a turn. */
function turnRun({ runs }: RunTree, of: RunNode, turn: string | undefined): RunNode | null {
  const run = runs.get(`${of.run}/${turn}`);
  return run === undefined || run.snapshot.apart === null ? null : run;
}

function turnNow({ snapshot }: RunNode, { id, state }: Task, until: number | null): AgentTurn {
  return { task: id, state, timeAt: (at) => taskTime(snapshot.clock, id, at), until };
}

function openTask({ snapshot }: RunNode, tasks: AgentRecord['tasks']): Task | null {
  const id = tasks.findLast((task) => snapshot.tasks[task] !== undefined);
  return id === undefined ? null : (snapshot.tasks[id] ?? null);
}

function statusOf({ outcome }: AgentRecord, task: Task | null, wait: AgentWait | null): AgentActivity {
  if (task !== null) return wait === null ? 'working' : 'waiting';
  return outcome === null || outcome === 'ok' || outcome === 'partial' ? 'idle' : 'bad';
}

function waitOf(run: RunNode, task: Task, halted: number | null): AgentWait | null {
  const { turn } = task;
  if (turn !== null && asksPerson(turn)) return { why: 'person', until: null };
  if (halted !== null) return { why: 'halted', until: null };
  return turn === null ? null : engineWait(run, task, turn);
}

function engineWait({ snapshot }: RunNode, task: Task, turn: TurnProgress): AgentWait | null {
  if (turn.phase === 'waiting') return { why: (turn.quotaWaits ?? 0) > 0 ? 'quota' : 'retry', until: turn.retryAt };
  if (wantsSlot(snapshot, task)) return { why: 'slot', until: null };
  return turn.phase === 'ready' && isRunPaused(snapshot) ? { why: 'still', until: null } : null;
}

const asksPerson = ({ asking, asked = [] }: TurnProgress): boolean =>
  asking.length > 0 || asked.some(({ isAllowed }) => isAllowed === null);

const wantsSlot = ({ tasks }: Snapshot, { pool, unit }: Task): boolean =>
  pool !== null && unit !== null && unitOf(tasks[pool]?.units, unit)?.status === 'returning';

function played({ definition }: RunNode, { agent, models, actor }: AgentRecord): Pick<AgentNow, 'role' | 'player'> {
  if (definition === null) return { role: null, player: models.join(', ') };
  const role = definition.workflow.agents.find(({ name }) => name === agent)?.role ?? null;
  const { level = '', actor: chosen = '' } = definition.roles[role ?? ''] ?? {};
  const player = [actor ?? chosen, models.join(', ')].filter((word) => word !== '').join(' · ');
  return { role, player: player === '' ? level : player };
}

/** Those of the root that its author named and that were not needed so far. */
function notYet(tree: RunTree, run: RunNode): readonly AgentNow[] {
  if (run.run !== tree.root) return [];
  const begun = new Set(historyOf(run).agents.map(({ agent }) => agent));
  return (run.definition?.workflow.agents ?? [])
    .filter(({ name }) => !begun.has(name))
    .map(({ name, context }) => {
      const record = { ...NEW_AGENT, agent: name, context, firstAt: Infinity, lastAt: 0 };
      return {
        ...record,
        key: `${run.run} ${name}`,
        of: run.run,
        run: run.run,
        ...played(run, record),
        status: 'idle',
        doing: null,
        wait: null,
      };
    });
}

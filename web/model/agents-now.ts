import { historyOf } from './run-history.ts';
import type { Snapshot, Task } from '../../src/core/fold/snapshot.ts';
import type { TurnProgress } from '../../src/core/fold/turn-state.ts';
import { isRunPaused } from '../../src/core/step/paused.ts';
import { unitOf } from '../../src/core/fold/units.ts';
import { taskTime, type WorkTime } from '../../src/core/fold/work-clock.ts';
import { NEW_AGENT, type AgentRecord } from '../../src/protocol/history/agents.ts';
import { haltedAt, liveRunsOf, type RunNode, type RunTree } from './run-tree.ts';

/** An agent as it is now. */
export interface AgentNow extends AgentRecord {
  readonly key: string;
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
  const all = [...tree.runs.values()].flatMap((run) => [
    ...historyOf(run)
      .agents.filter((record) => !isBelow(tree, run, record))
      .map((record) => nowOf(run, record, now)),
    ...notYet(tree, run),
  ]);
  const order = (agent: AgentNow): number => (agent.doing === null ? 1 : 0) + (agent.tasks.length === 0 ? 1 : 0);
  return all.toSorted((a, b) => order(a) - order(b) || a.firstAt - b.firstAt);
}

/** Runs below took all of its turns, and have it in its place. */
const isBelow = (tree: RunTree, { run }: RunNode, { tasks }: AgentRecord): boolean =>
  tasks.length > 0 && tasks.every((task) => isApart(tree.runs.get(`${run}/${task}`)));

const isApart = (run: RunNode | undefined): boolean => run !== undefined && run.snapshot.apart !== null;

interface TreeNow {
  readonly live: ReadonlySet<RunNode>;
  /** See `haltedAt`. */
  readonly halted: number | null;
}

function nowOf(run: RunNode, record: AgentRecord, { live, halted }: TreeNow): AgentNow {
  const task = live.has(run) ? openTask(run, record) : null;
  const wait = task === null ? null : waitOf(run, task, halted);
  return {
    ...record,
    key: `${run.run} ${record.agent}`,
    run: run.run,
    ...played(run, record),
    status: statusOf(record, task, wait),
    doing: task === null ? null : turnNow(run, task, halted),
    wait,
  };
}

function turnNow({ snapshot }: RunNode, { id, state }: Task, until: number | null): AgentTurn {
  return { task: id, state, timeAt: (at) => taskTime(snapshot.clock, id, at), until };
}

function openTask({ snapshot }: RunNode, { tasks }: AgentRecord): Task | null {
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
        run: run.run,
        ...played(run, record),
        status: 'idle',
        doing: null,
        wait: null,
      };
    });
}

import { append, emptyList } from './append-list.ts';
import { appendMessage, clearContext, leftOf, openContext, trimContext } from './context.ts';
import type { DataSet, Fact, Patch, RunSettled, RunStarted, StateEntered, TaskEnded, TaskStarted } from './fact.ts';
import { Fault } from './fault.ts';
import type { JsonObject } from './json.ts';
import type { Failure } from './outcome.ts';
import type { Context, Snapshot, Task } from './snapshot.ts';
import { startTurn, endTurn, turnAfter } from './turn-progress.ts';
import { addUnits, endUnit, markUnit } from './units.ts';
import { addCost, addUsage, NO_USAGE, type CostUsd, type Usage } from './usage.ts';

/**
 * Applies one fact. Total over the closed list of facts, pure, and needs no workflow:
 * whoever has the records has the run. Facts about a task that is gone change nothing but the count.
 */
export function applyFact(before: Snapshot | null, fact: Fact, at: number): Snapshot {
  if (fact.kind === 'run.started') return begin(fact, at);
  if (before === null) {
    throw new Fault('JOURNAL_DAMAGED', `A run's first record must be run.started; found ${fact.kind}.`, {
      hint: 'Run `troupe doctor` to see what is missing.',
    });
  }
  const change = CHANGES[fact.kind] as Change<typeof fact.kind>;
  return change({ ...before, seq: before.seq + 1, at }, fact);
}

function begin(fact: RunStarted, at: number): Snapshot {
  const contexts = fact.contexts.map((context): [string, Context] => [context.name, openContext(context)]);
  return {
    run: fact.run,
    parent: fact.parent,
    workflow: fact.workflow,
    definition: fact.definition,
    project: fact.project,
    input: fact.input,
    status: 'running',
    seq: 1,
    startedAt: at,
    at,
    data: fact.data,
    current: { state: '', entered: false, task: null, result: null, scripts: {} },
    visits: {},
    path: emptyList(),
    contexts: Object.fromEntries(contexts),
    agents: {},
    lastAgent: null,
    childResult: null,
    tasks: {},
    taskCount: 0,
    limits: fact.limits,
    paused: null,
    pausedMs: 0,
    stopping: null,
    usage: NO_USAGE,
    costUsd: 0,
    result: null,
    failures: emptyList(),
  };
}

type LaterFact = Exclude<Fact, RunStarted>;
type Change<Kind extends LaterFact['kind']> = (now: Snapshot, fact: Extract<LaterFact, { kind: Kind }>) => Snapshot;

/** One entry a kind of fact; the compiler sees to it that none is missing. `now` has the fact's number and time already. */
const CHANGES: { readonly [Kind in LaterFact['kind']]: Change<Kind> } = {
  'run.resumed': (now) => now,
  'question.answered': (now) => now,
  'run.cancelled': (now) => now,
  'run.stopping': (now, fact) => ({ ...goOn(now), stopping: fact }),
  'run.settled': settle,
  'state.entered': enter,
  'data.set': setData,
  'task.started': startTask,
  'task.stopping': (now, { task, failure }) => withTask(now, task, (one) => ({ ...one, stopping: failure })),
  'task.ended': endTask,
  'call.started': withTurn,
  'call.retried': withTurn,
  'tool.finished': withTurn,
  'call.answered': (now, fact) => withTurn(spend(now, fact), fact),
  'call.failed': (now, fact) =>
    withTurn(noteFailure(fact.spent === undefined ? now : spend(now, fact.spent), fact.failure), fact),
  'script.evaluated': (now, { key, result }) => ({
    ...now,
    current: { ...now.current, scripts: { ...now.current.scripts, [key]: result } },
  }),
  'units.added': (now, fact) => withTask(now, fact.task, (task) => addUnits(task, fact)),
  'unit.ended': (now, { task, unit, outcome, reason }) =>
    withTask(now, task, (pool) => endUnit(pool, unit, { outcome, output: null, reason })),
  'message.added': (now, fact) => withContext(now, fact.context, (context) => appendMessage(context, fact.message)),
  'context.cleared': (now, fact) => withContext(shiftTurns(now, fact.context, Infinity), fact.context, clearContext),
  'context.trimmed': (now, fact) =>
    withContext(shiftTurns(now, fact.context, fact.dropped), fact.context, (one) => trimContext(one, fact.dropped)),
  'limit.reached': (now, fact) => ({ ...now, paused: { ...fact, since: now.at, seq: now.seq } }),
  'limit.raised': (now, fact) => {
    const raised = { ...now, limits: { ...now.limits, [fact.limit]: fact.allowed } };
    return now.paused?.limit === fact.limit ? goOn(raised) : raised;
  },
};

/** The pause is over. It counts for no deadline: what was under way has as much time left as when the run paused. */
function goOn(now: Snapshot): Snapshot {
  if (now.paused === null) return now;
  const pausedMs = now.at - now.paused.since;
  const tasks = Object.entries(now.tasks).map(([id, task]): [string, Task] => [
    id,
    task.deadline === null ? task : { ...task, deadline: task.deadline + pausedMs },
  ]);
  return { ...now, paused: null, pausedMs: now.pausedMs + pausedMs, tasks: Object.fromEntries(tasks) };
}

function settle(now: Snapshot, fact: RunSettled): Snapshot {
  const settled: Snapshot = {
    ...now,
    status: 'settled',
    paused: null,
    result: { outcome: fact.outcome, output: fact.output, failure: fact.failure },
  };
  return fact.failure === null ? settled : noteFailure(settled, fact.failure);
}

function enter(now: Snapshot, fact: StateEntered): Snapshot {
  return {
    ...now,
    data: fact.patch === null ? now.data : patched(now.data, fact.patch),
    visits: { ...now.visits, [fact.state]: fact.visit },
    path: append(now.path, fact.state),
    current: { state: fact.state, entered: false, task: null, result: null, scripts: {} },
  };
}

function setData(now: Snapshot, fact: DataSet): Snapshot {
  return { ...now, data: patched(now.data, fact.patch), current: { ...now.current, entered: true } };
}

export function patched(data: JsonObject, patch: Patch): JsonObject {
  const next: Record<string, JsonObject[string]> = { ...data, ...patch.set };
  for (const key of patch.unset) delete next[key];
  return next;
}

function startTask(now: Snapshot, fact: TaskStarted): Snapshot {
  const context = fact.work.kind === 'turn' ? now.contexts[fact.work.context] : undefined;
  const task: Task = {
    id: fact.task,
    state: fact.state,
    pool: fact.pool,
    unit: fact.unit,
    work: fact.work,
    startedAt: now.at,
    deadline: fact.deadline,
    stopping: null,
    turn: fact.work.kind === 'turn' ? startTurn(fact.work, context) : null,
    units: fact.work.kind === 'pool' ? {} : null,
  };
  const tasks: Record<string, Task> = { ...now.tasks, [task.id]: task };
  const pool = fact.pool === null ? undefined : tasks[fact.pool];
  if (pool !== undefined && fact.unit !== null) tasks[pool.id] = markUnit(pool, fact.unit, { status: 'running' });
  const current = fact.pool === null ? { ...now.current, task: task.id } : now.current;
  return { ...now, tasks, current, taskCount: now.taskCount + 1 };
}

function endTask(now: Snapshot, fact: TaskEnded): Snapshot {
  const task = now.tasks[fact.task];
  if (task === undefined) return now;
  const { [fact.task]: _ended, ...tasks } = now.tasks;
  const after = rememberResult(handOver({ ...now, tasks }, task, fact), task, fact);
  const spent = fact.usage === undefined ? after : spend(after, { usage: fact.usage, costUsd: fact.costUsd ?? null });
  return fact.failure === null ? spent : noteFailure(spent, fact.failure);
}

/** To the pool the task was a unit of, or to the state whose work it was. */
function handOver(now: Snapshot, task: Task, { outcome, output, failure }: TaskEnded): Snapshot {
  if (task.pool === null) return { ...now, current: { ...now.current, result: { outcome, output, failure } } };
  return withTask(now, task.pool, (pool) =>
    endUnit(pool, task.unit ?? '', { outcome, output, reason: failure?.message ?? null }),
  );
}

function rememberResult(now: Snapshot, task: Task, fact: TaskEnded): Snapshot {
  if (fact.outcome !== 'ok') return now;
  if (task.turn !== null) return endTurn(now, task);
  return task.work.kind === 'call' ? { ...now, childResult: fact.output } : now;
}

function spend(now: Snapshot, spent: { readonly usage: Usage; readonly costUsd: CostUsd }): Snapshot {
  return { ...now, usage: addUsage(now.usage, spent.usage), costUsd: addCost(now.costUsd, spent.costUsd) };
}

type TurnFact = Extract<
  Fact,
  { kind: 'call.started' | 'call.retried' | 'call.answered' | 'call.failed' | 'tool.finished' }
>;

function withTurn(now: Snapshot, fact: TurnFact): Snapshot {
  return withTask(now, fact.task, (task) => (task.turn === null ? task : { ...task, turn: turnAfter(task, fact) }));
}

function withTask(now: Snapshot, id: string, update: (task: Task) => Task): Snapshot {
  const task = now.tasks[id];
  return task === undefined ? now : { ...now, tasks: { ...now.tasks, [id]: update(task) } };
}

function withContext(now: Snapshot, name: string, update: (context: Context) => Context): Snapshot {
  const context = now.contexts[name];
  return context === undefined ? now : { ...now, contexts: { ...now.contexts, [name]: update(context) } };
}

/** Turns under way see as many messages fewer as are taken away of what they saw. */
function shiftTurns(now: Snapshot, name: string, dropped: number): Snapshot {
  const context = now.contexts[name];
  if (context === undefined) return now;
  const entries = Object.entries(now.tasks).map(([id, task]): [string, Task] => {
    if (task.turn === null || task.work.kind !== 'turn' || task.work.context !== name) return [id, task];
    const sees = leftOf(context, { first: task.turn.sees, dropped });
    return [id, { ...task, turn: { ...task.turn, sees } }];
  });
  return entries.length === 0 ? now : { ...now, tasks: Object.fromEntries(entries) };
}

function noteFailure(now: Snapshot, failure: Failure): Snapshot {
  return { ...now, failures: append(now.failures, { at: now.at, state: now.current.state, failure }) };
}

import { append } from '../model/append-list.ts';
import { addFailure, noteFailure } from '../step/handed-up.ts';
import {
  addPermit,
  forgetSessions,
  heard,
  loseSession,
  noteActivity,
  noteReason,
  noteReply,
  keepSession,
  noteSession,
} from './apply-agents.ts';
import {
  changeFiles,
  applyExpectedChanges,
  changeProject,
  dropWorkspace,
  fork,
  makeWorkspace,
  rewind,
} from './apply-files.ts';
import { begin, takeUp } from './begin.ts';
import { chargeOf } from '../record/charge.ts';
import type { Spent } from '../model/usage.ts';
import { changeContext, shiftTurns } from './apply-contexts.ts';
import { appendMessage, clearContext, joinTurn, trimContext } from './context.ts';
import { compactedTurn } from '../step/turn/compaction-progress.ts';
import type { CompactionFact } from '../record/compaction-fact.ts';
import { noteDelivery, noteDiscard } from './apply-delivery.ts';
import { UNDECIDED } from '../record/undecided.ts';
import { startDraft, type Draft } from './draft.ts';
import type { DataSet, Fact, MessageAdded, RunSettled, RunStarted, StateEntered } from '../record/fact.ts';
import type { TaskEnded, TaskStarted } from '../record/task-fact.ts';
import { Fault } from '../model/fault.ts';
import type { Json } from '../model/json.ts';
import { patched } from '../record/patch.ts';
import { permissionQuestion } from '../step/turn/permit.ts';
import { forgetAsked, forgetPermission, noteAnswered, noteAsked, workOn } from './apply-questions.ts';
import { limitQuestion } from '../record/question-name.ts';
import type { Snapshot, Task } from './snapshot.ts';
import { redefine } from '../history/redefine.ts';
import { applySlot, forgetSlots } from './apply-slots.ts';
import { hold, pauseAtLimit, release } from '../step/paused.ts';
import { mergeTerms } from '../model/run-terms.ts';
import { subAgentTask } from './open-children.ts';
import { forgetReports, noteReport, shareLimit } from './apply-reports.ts';
import { addSpent } from './tree-cost.ts';
import { memoryOf, startTurn, tellTurn, turnAfter, remarksLeft, type TurnFact } from '../step/turn/turn-progress.ts';
import { noteModel, takeLeft } from './apart.ts';
import { addUnits, endUnit, markUnit } from './units.ts';
import { advanceClock } from './work-clock.ts';

/**
 * Applies one fact. Total over the closed list of facts, pure, and needs no workflow: the records alone determine the run.
 * Facts about a task that is gone only change the count.
 */
export function applyFact(before: Snapshot | null, fact: Fact, at: number): Snapshot {
  if (fact.kind === 'run.started') return begin(fact, at);
  if (before === null) {
    throw new Fault('JOURNAL_DAMAGED', `A run's first record must be run.started; found ${fact.kind}.`, {
      hint: 'Run `troupe doctor` to see what is missing.',
    });
  }
  return applyTo(startDraft(before), fact, at);
}

/** The same on a draft, which is changed and returned, so that many facts in a row need no copies. */
export function applyTo(draft: Draft, fact: Exclude<Fact, RunStarted>, at: number): Draft {
  const then = draft.at;
  draft.seq += 1;
  draft.at = at;
  const change = CHANGES[fact.kind] as Change<typeof fact.kind>;
  change(draft, fact, then);
  draft.clock = advanceClock(draft.clock, { fact, at });
  const charge = chargeOf(fact);
  if (charge !== null) spend(draft, charge);
  return draft;
}

type LaterFact = Exclude<Fact, RunStarted>;
type Change<Kind extends LaterFact['kind']> = (
  now: Draft,
  fact: Extract<LaterFact, { kind: Kind }>,
  /** The time of the previous fact. */
  then: number,
) => void;

const nothing = (): void => undefined;

/** One entry per kind of fact; the compiler checks that none is missing. `now` already has the fact's number and time. */
export const CHANGES: { readonly [Kind in LaterFact['kind']]: Change<Kind> } = {
  'run.resumed': takeUp,
  'terms.changed': (now, { terms }) => {
    now.terms = mergeTerms(now.terms, terms);
  },
  'question.asked': noteAsked,
  'question.answered': noteAnswered,
  'run.cancelled': nothing,
  'run.stopping': (now, fact) => {
    release(now, ['paused', 'held']);
    now.stopping = fact;
  },
  'run.settled': settle,
  'state.entered': enter,
  'data.set': setData,
  'task.started': startTask,
  'task.stopping': (now, { task, failure }) => changeTask(now, task, (one) => ({ ...one, stopping: failure })),
  'task.ended': endTask,
  'call.started': changeTurn,
  'call.retried': changeTurn,
  'tool.finished': (now, fact) => {
    forgetReports(now, () => subAgentTask(now, fact.task, fact.toolCall));
    changeTurn(now, fact);
  },
  'permission.asked': (now, fact) => {
    noteQuestion(now, permissionQuestion(fact.task, fact.toolCall));
    changeTurn(now, fact);
  },
  'permission.settled': (now, fact) => {
    if (fact.forAll) addPermit(now, fact);
    forgetPermission(now, fact);
    changeTurn(now, fact);
  },
  'call.answered': changeTurn,
  'call.failed': (now, fact) => {
    addFailure(now, fact.failure, now.tasks[fact.task] ?? null);
    if (fact.size !== undefined) now.windows = { ...now.windows, [fact.size.model]: fact.size.window };
    changeTurn(now, fact);
    loseSession(now, fact);
  },
  'script.evaluated': (now, { key, result }) => {
    now.current = { ...now.current, scripts: { ...now.current.scripts, [key]: result } };
  },
  'units.added': (now, fact) => changeTask(now, fact.task, (task) => addUnits(task, fact)),
  'unit.moved': (now, { task, unit, to }) => changeTask(now, task, (pool) => markUnit(pool, unit, { status: to })),
  'slot.moved': applySlot,
  'wait.started': nothing,
  'wait.ended': nothing,
  'session.noted': noteSession,
  'session.kept': keepSession,
  'reply.accepted': noteReply,
  'activity.noted': noteActivity,
  'turn.nudged': changeTurn,
  'results.cleared': compact,
  'compaction.started': compact,
  'turn.compacted': compact,
  'unit.ended': (now, { task, unit, outcome, reason }) =>
    changeTask(now, task, (pool) => endUnit(pool, unit, { outcome, output: null, reason })),
  'message.added': addMessage,
  'context.cleared': (now, fact) => {
    shiftTurns(now, fact.context, Infinity);
    changeContext(now, fact.context, clearContext);
    forgetSessions(now, fact.context);
  },
  'context.trimmed': (now, fact) => {
    shiftTurns(now, fact.context, fact.dropped);
    changeContext(now, fact.context, (one) => trimContext(one, fact.dropped));
  },
  'limit.reached': (now, fact) => {
    pauseAtLimit(now, fact);
    if (now.paused !== null && fact.isOfParent !== true) noteQuestion(now, limitQuestion(now.paused));
  },
  'limit.raised': (now, fact) => {
    now.limits = { ...now.limits, [fact.limit]: fact.allowed };
    if (now.paused?.limit === fact.limit) release(now, ['paused']);
  },
  'limit.shared': shareLimit,
  'run.paused': hold,
  'run.continued': (now) => release(now, ['held']),
  'workspace.made': makeWorkspace,
  'workspace.gone': dropWorkspace,
  'usage.noted': noteReport,
  'files.changed': changeFiles,
  'changes.expected': applyExpectedChanges,
  'changes.declined': noteReason,
  'resource.leased': (now, { workspace, values }) => {
    now.resources = { ...now.resources, [workspace]: { ...now.resources[workspace], ...values } };
  },
  'artifact.recorded': nothing,
  'handoff.made': nothing,
  'bus.sent': nothing,
  'progress.noted': nothing,
  'output.handed': nothing,
  'project.changed': changeProject,
  'delivery.started': noteDelivery,
  'delivery.finished': noteDelivery,
  'delivery.failed': noteDelivery,
  'result.discarded': noteDiscard,
  'run.archived': (now, { by, isUndone }) => void (now.archivedBy = isUndone === true ? null : by),
  'rollback.started': (now, fact) => {
    release(now, ['paused', 'held']);
    now.rollingBack = fact;
  },
  'run.forked': fork,
  'run.redefined': redefine,
  'run.rewound': rewind,
};

function settle(now: Draft, { outcome, output, failure }: RunSettled): void {
  now.status = 'settled';
  now.paused = null;
  now.held = null;
  now.rollingBack = null;
  Object.assign(now, UNDECIDED);
  now.result = { outcome, output, failure };
  noteFailure(now, failure, null);
}

function enter(now: Draft, fact: StateEntered): void {
  if (fact.patch !== null) now.data = patched(now.data, fact.patch);
  now.visits = { ...now.visits, [fact.state]: fact.visit };
  now.path = append(now.path, fact.state);
  if (fact.from !== null) now.last = { ...(now.current.result ?? NO_WORK), state: fact.from.state };
  now.current = { state: fact.state, entered: false, task: null, result: null, scripts: {} };
}

/** How a state without work ends. */
const NO_WORK = { outcome: 'ok', output: null, failure: null } as const;

function setData(now: Draft, fact: DataSet): void {
  now.data = patched(now.data, fact.patch);
  now.current = { ...now.current, entered: true };
}

function startTask(now: Draft, fact: TaskStarted): void {
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
    turn: fact.work.kind === 'turn' && fact.work.apart === undefined ? startTurn(fact.work, context) : null,
    units: fact.work.kind === 'pool' ? [] : null,
  };
  now.tasks[task.id] = task;
  now.taskCount += 1;
  workOn(now, fact.work.kind);
  if (fact.work.kind === 'ask') noteQuestion(now, fact.task);
  const { pool, unit } = fact;
  if (pool === null) now.current = { ...now.current, task: task.id };
  else if (unit !== null) changeTask(now, pool, (one) => markUnit(one, unit, { status: 'running' }));
}

function endTask(now: Draft, fact: TaskEnded): void {
  const open = now.tasks[fact.task];
  if (open === undefined) return;
  const task = takeLeft(now, open, fact.left);
  delete now.tasks[fact.task];
  forgetAsked(now, fact.task);
  forgetSlots(now, fact.task);
  forgetReports(now, () => fact.task);
  if (fact.patch !== undefined) now.data = patched(now.data, fact.patch);
  handOver(now, task, fact);
  if (fact.outcome === 'ok') rememberResult(now, task, fact.output);
  keepRemarks(now, task, fact.outcome === 'ok');
  noteFailure(now, fact.failure, task);
}

/** To the pool that the task was a unit of, or to the state whose work it was. */
function handOver(now: Draft, task: Task, { outcome, output, failure }: TaskEnded): void {
  if (task.pool === null) now.current = { ...now.current, result: { outcome, output, failure } };
  else {
    changeTask(now, task.pool, (pool) =>
      endUnit(pool, task.unit ?? '', {
        outcome,
        output,
        reason: failure?.message ?? null,
        ...(outcome === 'skipped' ? { isPassed: true } : {}),
      }),
    );
  }
}

/** Results that later conditions and turns may read: a turn's answer, a child's result. */
function rememberResult(now: Draft, task: Task, output: Json): void {
  if (task.work.kind === 'call') now.childResult = output;
  if (task.turn === null || task.work.kind !== 'turn') return;
  const { agent, context } = task.work;
  const { turn } = task;
  changeContext(now, context, (one) => joinTurn(one, agent, turn));
  heard(now, task);
  now.agents = { ...now.agents, [agent]: memoryOf(agent, task.turn) };
  now.lastAgent = agent;
}

/** A message that arrives in the middle of a turn waits there. */
function addMessage(now: Draft, { context, message, task: id }: MessageAdded): void {
  const task = id === undefined ? undefined : now.tasks[id];
  if (task?.turn == null) changeContext(now, context, (one) => appendMessage(one, message));
  else now.tasks[task.id] = { ...task, turn: tellTurn(task.turn, message) };
}

function keepRemarks(now: Draft, { work, turn }: Task, isOk: boolean): void {
  if (work.kind !== 'turn' || turn === null) return;
  const remarks = remarksLeft(turn, isOk);
  if (remarks.length > 0) changeContext(now, work.context, (one) => remarks.reduce(appendMessage, one));
}

function spend(now: Draft, spent: Spent): void {
  Object.assign(now, addSpent(now, spent));
  now.unreported = addSpent(now.unreported, spent);
}

function changeTurn(now: Draft, fact: TurnFact): void {
  if (fact.kind === 'call.answered') noteModel(now, fact);
  changeTask(now, fact.task, (task) => (task.turn === null ? task : { ...task, turn: turnAfter(task, fact) }));
}

function compact(now: Draft, fact: CompactionFact): void {
  changeTask(now, fact.task, (task) => {
    const context = task.work.kind === 'turn' ? now.contexts[task.work.context] : undefined;
    return { ...task, turn: compactedTurn(task, context, fact) };
  });
}

function changeTask(now: Draft, id: string, change: (task: Task) => Task): void {
  const task = now.tasks[id];
  if (task !== undefined) now.tasks[id] = change(task);
}

function noteQuestion(now: Draft, id: string): void {
  now.asked = append(now.asked, id);
}

import { advance } from './advance.ts';
import { filesLookedAt, standingAnswer } from './approval.ts';
import { readAnswer } from '../check/check-answer.ts';
import { startedDelivery } from './delivery.ts';
import { endTask, stopTask } from './end-task.ts';
import { isRunBelow } from '../fold/open-children.ts';
import type { Effect } from '../model/effect.ts';
import { isPresentKey } from '../evaluate/evaluation.ts';
import type { Event, RunPause } from '../model/event.ts';
import type { Fact } from '../record/fact.ts';
import { stopRun } from './stop-run.ts';
import { answerLimit, armDeadline, armDuration, raiseLimit, reachDuration } from '../model/limits.ts';
import { answerPermission, clientAsks } from './turn/answer-permission.ts';
import { childSettled } from './child-settled.ts';
import { childSpent } from './child-spent.ts';
import { childWaits } from './child-waits.ts';
import { offerUnits } from './pool/pool.ts';
import { isPermission } from './turn/permit.ts';
import { StepProgress } from './progress.ts';
import type { Definition } from '../model/definition.ts';
import { takeShare } from './share-limit.ts';
import { settleAs } from './settle.ts';
import { moveChildSlot, moveSlot } from './pool/slot.ts';
import type { Snapshot, Task } from '../fold/snapshot.ts';
import { isRunPaused } from './paused.ts';
import { sendRemark } from './turn/tell-agent.ts';
import { callAnswered, callFailed, requestFull, retryDue, toolFinished } from './turn/turn.ts';
import { isAtRest } from '../fold/work-clock.ts';

/** The result of a step: the facts to journal, the run after them, and what the host must do once they are durable. */
export interface Step {
  readonly facts: readonly Fact[];
  readonly snapshot: Snapshot;
  readonly effects: readonly Effect[];
}

/**
 * The interpreter: pure, total, and deterministic.
 *
 * [I1] Same definition, snapshot and event give the same step.
 * [I2] A settled run is inert: only what its stopped work left behind, and how its result is delivered, is still noted.
 * [I3] A stale event changes nothing: no facts, the same snapshot, and no effects but an answer to the child run that sent it.
 * [I4] The snapshot of a step is the fold of its facts over the snapshot before.
 * [I5] Every call, tool and unit is answered at most once.
 */
export function step(
  definition: Definition,
  snapshot: Snapshot,
  input: { readonly event: Event; readonly at: number },
): Step {
  if (snapshot.status === 'settled' && !AFTER_THE_END.has(input.event.kind))
    return { facts: [], snapshot, effects: [] };
  const progress = new StepProgress(definition, snapshot, input.at);
  const take = TAKE[input.event.kind] as Take<Event['kind']>;
  take(progress, input.event);
  if (progress.facts.length === 0 && progress.arrived === null)
    return { facts: [], snapshot, effects: progress.effects };
  advance(progress);
  keepUnused(progress);
  if (isTimeRestarted(snapshot, progress.snapshot)) armDuration(progress);
  return { facts: progress.facts, snapshot: progress.snapshot, effects: progress.effects };
}

/** A paused run uses the script's change later. */
function keepUnused(progress: StepProgress): void {
  const { arrived, facts } = progress;
  if (arrived?.result.kind !== 'patch') return;
  const { patch } = arrived.result;
  if (!facts.some((fact) => 'patch' in fact && fact.patch === patch)) progress.record(arrived);
}

/** The remaining time of the run is counted from now: it rested, or its limit was raised. */
function isTimeRestarted(before: Snapshot, after: Snapshot): boolean {
  return isAtRest(before.clock) !== isAtRest(after.clock) || before.limits.durationMs !== after.limits.durationMs;
}

/** Events that a settled run still takes. */
const AFTER_THE_END: ReadonlySet<Event['kind']> = new Set([
  'world.noted',
  'project.noted',
  'delivery.done',
  'child.settled',
]);

type Take<Kind extends Event['kind']> = (progress: StepProgress, event: Extract<Event, { kind: Kind }>) => void;

/** One handler per kind of event. Stale events record nothing. */
const TAKE: { readonly [Kind in Event['kind']]: Take<Kind> } = {
  'call.answered': callAnswered,
  'call.failed': callFailed,
  'tool.finished': toolFinished,
  'request.full': requestFull,
  'script.evaluated': (progress, event) => {
    if (!isPresentKey(progress, event.key)) return;
    if (event.result.kind === 'patch') progress.arrived = event;
    else progress.record(event);
  },
  'task.done': taskDone,
  'child.settled': childSettled,
  'child.spent': childSpent,
  'limit.share': takeShare,
  'units.offered': offerUnits,
  'child.slot': moveChildSlot,
  'slot.move': moveSlot,
  'child.waits': childWaits,
  'permission.wanted': clientAsks,
  'timer.fired': (progress, event) => timerFired(progress, event.timer),
  'question.looked': filesLookedAt,
  'question.answered': questionAnswered,
  'limit.raise': raiseLimit,
  'terms.change': (progress, { terms, by }) => progress.record({ kind: 'terms.changed', terms, by }),
  'agent.told': sendRemark,
  'run.cancel': cancel,
  'run.pause': pause,
  'run.continue': goOn,
  'world.noted': (progress, event) => event.facts.forEach((fact) => progress.record(fact)),
  'rollback.done': rollbackDone,
  'project.noted': (progress, { fact }) => progress.record(fact),
  'delivery.done': (progress, { fact }) => {
    if (startedDelivery(progress.snapshot) !== null) progress.record(fact);
  },
};

/** Only work performed by the host, and a run below that could not start, end this way; all other work has its own events. */
function taskDone(progress: StepProgress, event: Extract<Event, { kind: 'task.done' }>): void {
  const work = progress.task(event.task)?.work;
  if (work === undefined) return;
  const { kind } = work;
  if (kind === 'command' || kind === 'merge' || kind === 'compute' || isRunBelow(work))
    endTask(progress, event.task, event);
}

function timerFired(progress: StepProgress, timer: string): void {
  const cut = timer.lastIndexOf('/');
  const [id, purpose] = [timer.slice(0, cut), timer.slice(cut + 1)];
  if (timer === 'run/duration') return reachDuration(progress);
  const task = progress.task(id);
  if (task === undefined) return;
  if (purpose === 'retry') return retryDue(progress, task);
  if (purpose === 'wait') return waitOver(progress, task);
  if (purpose === 'deadline') return deadlineMet(progress, task);
}

function waitOver(progress: StepProgress, task: Task): void {
  if (task.work.kind !== 'wait' || progress.at < task.work.until) return;
  endTask(progress, task.id, { outcome: 'ok', output: null, failure: null });
}

function deadlineMet(progress: StepProgress, task: Task): void {
  if (task.deadline === null || progress.at < task.deadline || isRunPaused(progress.snapshot)) return;
  stopTask(progress, task, {
    code: 'TIMEOUT',
    message: `${task.state} took longer than ${task.deadline - task.startedAt} ms.`,
    class: 'timeout',
  });
}

function questionAnswered(progress: StepProgress, given: Extract<Event, { kind: 'question.answered' }>): void {
  const event = standingAnswer(progress, given);
  if (event === null) return;
  if (event.question.startsWith('limit/')) return answerLimit(progress, event);
  if (isPermission(event.question)) return answerPermission(progress, event);
  const task = progress.task(event.question);
  if (task?.work.kind !== 'ask') return;
  const read = readAnswer({ kind: 'ask', choices: task.work.choices }, event.answer);
  if (!read.ok) return;
  progress.record({ ...event, answer: read.answer });
  endTask(progress, task.id, { outcome: 'ok', output: read.answer, failure: null });
}

function cancel(progress: StepProgress, event: Extract<Event, { kind: 'run.cancel' }>): void {
  progress.record({ kind: 'run.cancelled', by: event.by, reason: event.reason });
  const failure = {
    code: 'CANCELLED',
    message: `Cancelled by ${event.by}: ${event.reason}`,
    class: 'cancelled',
  } as const;
  stopRun(progress, { outcome: 'cancelled', failure, ofWork: failure });
}

function pause(progress: StepProgress, { by, reason, failure, unbegun }: RunPause): void {
  const { held, stopping, rollingBack } = progress.snapshot;
  if (stopping !== null || rollingBack !== null) return;
  // A failure to fix is recorded also if a person paused the run before, or if more work was interrupted before it
  // began.
  const isKnown = failure === undefined || (held?.failure !== undefined && unbegun === undefined);
  if (held !== null && isKnown) return;
  progress.record({
    kind: 'run.paused',
    by,
    reason,
    ...(failure === undefined ? {} : { failure }),
    ...(unbegun === undefined ? {} : { unbegun }),
  });
}

function goOn(progress: StepProgress, { by }: Extract<Event, { kind: 'run.continue' }>): void {
  if (progress.snapshot.held === null) return;
  progress.record({ kind: 'run.continued', by });
  for (const task of Object.values(progress.snapshot.tasks)) armDeadline(progress, task);
}

/** The files were restored, or could not be: then the failure says so, and the run ends anyway. */
function rollbackDone(progress: StepProgress, event: Extract<Event, { kind: 'rollback.done' }>): void {
  const { rollingBack } = progress.snapshot;
  if (rollingBack === null) return;
  const { outcome, output, failure } = rollingBack;
  const because = event.failure === null ? {} : { hint: `The files could not be put back: ${event.failure.message}` };
  settleAs(progress, { outcome, output, failure: failure === null ? event.failure : { ...failure, ...because } });
}

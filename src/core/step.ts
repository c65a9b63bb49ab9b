import { advance } from './advance.ts';
import { endTask, stopTask } from './end-task.ts';
import type { Effect } from './effect.ts';
import { isPresentKey } from './evaluation.ts';
import type { Event } from './event.ts';
import type { Fact } from './fact.ts';
import { answerLimit, raiseLimit, reachDuration } from './limits.ts';
import { offerUnits } from './pool.ts';
import { Progress } from './progress.ts';
import type { Definition } from './role.ts';
import type { Snapshot } from './snapshot.ts';
import { callAnswered, callFailed, retryDue, toolFinished } from './turn.ts';

/** What a step comes to: the facts to journal, the run after them, and what the host must do once they are durable. */
export interface Step {
  readonly facts: readonly Fact[];
  readonly snapshot: Snapshot;
  readonly effects: readonly Effect[];
}

/**
 * The interpreter: pure, total, and deterministic.
 *
 * [I1] Same definition, snapshot and event give the same step.
 * [I2] A settled run is inert.
 * [I3] A stale event changes nothing: no facts, no effects, the same snapshot.
 * [I4] The snapshot of a step is the fold of its facts over the snapshot before.
 * [I5] Every call, tool and unit is answered at most once.
 */
export function step(
  definition: Definition,
  snapshot: Snapshot,
  input: { readonly event: Event; readonly at: number },
): Step {
  if (snapshot.status === 'settled') return { facts: [], snapshot, effects: [] };
  const progress = new Progress(definition, snapshot, input.at);
  const take = TAKE[input.event.kind] as Take<Event['kind']>;
  take(progress, input.event);
  if (progress.facts.length === 0) return { facts: [], snapshot, effects: [] };
  advance(progress);
  return { facts: progress.facts, snapshot: progress.snapshot, effects: progress.effects };
}

type Take<Kind extends Event['kind']> = (progress: Progress, event: Extract<Event, { kind: Kind }>) => void;

/** One entry a kind of event. What is stale records nothing. */
const TAKE: { readonly [Kind in Event['kind']]: Take<Kind> } = {
  'call.answered': callAnswered,
  'call.failed': callFailed,
  'tool.finished': toolFinished,
  'script.evaluated': (progress, event) => {
    if (isPresentKey(progress, event.key)) progress.record(event);
  },
  'task.done': (progress, event) => endTask(progress, event.task, event),
  'units.offered': offerUnits,
  'timer.fired': (progress, event) => timerFired(progress, event.timer),
  'question.answered': questionAnswered,
  'limit.raise': raiseLimit,
  'run.cancel': cancel,
};

function timerFired(progress: Progress, timer: string): void {
  const cut = timer.lastIndexOf('/');
  const [id, purpose] = [timer.slice(0, cut), timer.slice(cut + 1)];
  if (timer === 'run/duration') return reachDuration(progress);
  const task = progress.snapshot.tasks[id];
  if (task === undefined) return;
  if (purpose === 'retry') return retryDue(progress, task);
  if (purpose === 'wait') return endTask(progress, task.id, { outcome: 'ok', output: null, failure: null });
  if (purpose === 'deadline' && task.deadline !== null && progress.at >= task.deadline) {
    stopTask(progress, task, {
      code: 'TIMEOUT',
      message: `${task.state} took longer than ${task.deadline - task.startedAt} ms.`,
      class: 'timeout',
    });
  }
}

function questionAnswered(progress: Progress, event: Extract<Event, { kind: 'question.answered' }>): void {
  if (event.question.startsWith('limit/')) return answerLimit(progress, event);
  const task = progress.snapshot.tasks[event.question];
  if (task?.work.kind !== 'ask') return;
  progress.record(event);
  endTask(progress, task.id, { outcome: 'ok', output: event.answer, failure: null });
}

function cancel(progress: Progress, event: Extract<Event, { kind: 'run.cancel' }>): void {
  progress.record({ kind: 'run.cancelled', by: event.by, reason: event.reason });
  const failure = {
    code: 'CANCELLED',
    message: `Cancelled by ${event.by}: ${event.reason}`,
    class: 'cancelled',
  } as const;
  for (const task of Object.values(progress.snapshot.tasks)) {
    if (progress.snapshot.tasks[task.id] !== undefined) stopTask(progress, task, failure);
  }
  progress.record({ kind: 'run.settled', outcome: 'cancelled', output: null, failure });
}

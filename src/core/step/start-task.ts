import { lookAtFiles } from './approval.ts';
import { endTask, trimEnded } from './end-task.ts';
import type { ResolvedTurn, ResolvedWork } from '../record/task-fact.ts';
import { taskId, type TaskId } from '../model/ids.ts';
import type { JsonObject } from '../model/json.ts';
import type { Message } from '../model/message.ts';
import type { StepProgress } from './progress.ts';
import { isApproval } from '../record/question-fact.ts';
import type { WorkState } from '../model/workflow.ts';

/** Where work belongs: a state, or one unit of the pool a state runs. */
export interface WorkPlace {
  readonly state: WorkState;
  readonly key: string;
  readonly locals: JsonObject;
  readonly pool: TaskId | null;
  readonly unit: string | null;
  /** The value of the state's `timeout`. */
  readonly timeoutMs?: number | null;
}

/** Announces the work in the journal; the effect that performs it leaves with the same step. */
export function startTask(progress: StepProgress, work: ResolvedWork, place: WorkPlace): TaskId {
  const task = taskId(`t${progress.snapshot.taskCount + 1}`);
  const timeoutMs = place.pool === null ? shorter(place.state.timeoutMs, place.timeoutMs ?? null) : null;
  const deadline = timeoutMs === null ? null : progress.at + timeoutMs;
  progress.record({
    kind: 'task.started',
    task,
    state: place.state.name,
    pool: place.pool,
    unit: place.unit,
    work,
    deadline,
  });
  if (deadline !== null) progress.emit({ kind: 'timer.set', timer: `${task}/deadline`, at: deadline });
  emitWork(progress, task, work);
  if (work.kind === 'tell' || work.kind === 'clear') changeConversation(progress, task, work);
  return task;
}

function shorter(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other;
  return Math.min(one, other);
}

/** `tell` and `clear` change the conversation and end at once. */
function changeConversation(
  progress: StepProgress,
  task: TaskId,
  work: Extract<ResolvedWork, { kind: 'tell' | 'clear' }>,
): void {
  if (work.kind === 'clear') progress.record({ kind: 'context.cleared', context: work.context });
  else {
    const message: Message = { author: 'workflow', to: work.agent, role: 'user', content: work.input };
    progress.record({ kind: 'message.added', context: work.context, message });
    trimEnded(progress, work.context);
  }
  endTask(progress, task, { outcome: 'ok', output: null, failure: null });
}

export function emitWork(progress: StepProgress, task: TaskId, work: ResolvedWork): void {
  switch (work.kind) {
    case 'turn':
      return emitTurn(progress, task, work);
    case 'command':
      return progress.emit({ ...work, kind: 'command.run', task });
    case 'call':
      return progress.emit({ ...work, kind: 'child.start', task });
    case 'wait':
      return progress.emit({ kind: 'timer.set', timer: `${task}/wait`, at: work.until });
    case 'merge':
      return progress.emit({ ...work, kind: 'merge.run', task });
    case 'compute':
      return progress.emit({ ...work, kind: 'compute.run', task });
    case 'ask':
      return isApproval(work) && work.approves !== 'as-answered' ? lookAtFiles(progress, task, task) : undefined;
    default:
      return emitsNothing(work);
  }
}

function emitTurn(progress: StepProgress, task: TaskId, { agent, apart }: ResolvedTurn): void {
  const { workflow, input } = progress.snapshot;
  if (apart === true) progress.emit({ kind: 'child.start', task, workflow, input, apart });
  else progress.emit({ kind: 'actor.call', task, agent, call: 1, attempt: 1 });
}

/** Units start one by one, and work that only changes the conversation has already ended. */
function emitsNothing(work: Extract<ResolvedWork, { kind: 'pool' | 'tell' | 'clear' }>): void {
  void work;
}

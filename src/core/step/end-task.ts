import { overflow } from '../fold/context.ts';
import type { TaskId } from '../model/ids.ts';
import type { Json } from '../model/json.ts';
import { patchBetween, type Patch } from '../record/patch.ts';
import { outcomeOf, type Failure, type Outcome } from '../model/outcome.ts';
import type { StepProgress } from './progress.ts';
import { withLeft } from '../fold/apart.ts';
import { isRunBelow } from '../fold/open-children.ts';
import type { LeftTurn } from '../record/left-turn.ts';
import type { Task } from '../fold/snapshot.ts';
import { poolOutput, unitsInOrder } from '../fold/units.ts';
import type { CostUsd, Usage } from '../model/usage.ts';

export interface TaskResult {
  readonly outcome: Outcome;
  readonly output: Json;
  readonly failure: Failure | null;
  readonly usage?: Usage;
  readonly costUsd?: CostUsd;
  /** The new state of its program. */
  readonly kept?: Json;
  /** Of a turn that a run below took. */
  readonly left?: LeftTurn;
}

/** Ends a task that finished by itself. For a task that is already gone nothing happens. */
export function endTask(progress: StepProgress, id: TaskId, result: TaskResult): void {
  const open = progress.task(id);
  if (open === undefined) return;
  const task = withLeft(open, result.left);
  const { outcome, output, failure } = standing(
    task,
    task.stopping === null ? result : stoppedResult(task, task.stopping),
  );
  progress.record({
    kind: 'task.ended',
    task: id,
    outcome,
    output,
    failure,
    ...patchFor(progress, task, result),
    ...(result.usage === undefined ? {} : { usage: result.usage }),
    ...(result.costUsd === undefined ? {} : { costUsd: result.costUsd }),
    ...(result.left === undefined ? {} : { left: result.left }),
  });
  if (task.stopping === null) clearTimers(progress, task);
  if (task.work.kind === 'turn' && outcome === 'ok') trimEnded(progress, task.work.context);
}

/** A program's state is kept whatever its outcome, unless the task was ordered to stop before. */
function patchFor({ snapshot }: StepProgress, { work, stopping }: Task, { kept }: TaskResult): { patch?: Patch } {
  if (work.kind !== 'compute' || work.keeps === undefined || kept === undefined || stopping !== null) return {};
  const patch = patchBetween(snapshot.data, { ...snapshot.data, [work.keeps]: kept });
  return patch === null ? {} : { patch };
}

/** A judgement that was sent back counts if its author failed before correcting it. */
function standing({ turn }: Task, result: TaskResult): TaskResult {
  const isLost = result.outcome === 'failed' || result.outcome === 'crashed' || result.outcome === 'timeout';
  if (!isLost || turn?.returned === undefined || turn.openTools.length > 0) return result;
  return { ...result, outcome: 'ok', output: turn.returned.arguments, failure: null };
}

/** Ignores how the task finished by itself, since it was ordered to stop first. */
function stoppedResult(task: Task, failure: Failure): TaskResult {
  const output = task.work.kind === 'pool' ? poolOutput(task, null) : null;
  return { outcome: outcomeOf(failure), output, failure };
}

/**
 * Ends a task: its work in progress is stopped, a pool's units first. A child run is waited for, since its cost counts;
 * everything else ends at once.
 */
export function stopTask(progress: StepProgress, task: Task, failure: Failure): void {
  if (task.stopping !== null) return;
  for (const unit of unitTasks(progress, task.id)) stopTask(progress, unit, failure);
  endWaitingUnits(progress, task.id, failure);
  if (task.work.kind !== 'pool') progress.emit({ kind: 'task.stop', task: task.id });
  if (isRunBelow(task.work) || unitTasks(progress, task.id).length > 0) {
    clearTimers(progress, task);
    return progress.record({ kind: 'task.stopping', task: task.id, failure });
  }
  endTask(progress, task.id, stoppedResult(progress.task(task.id) ?? task, failure));
}

/** The open tasks of a pool's units. */
export function unitTasks(progress: StepProgress, pool: TaskId): readonly Task[] {
  return Object.values(progress.snapshot.tasks).filter((task) => task.pool === pool);
}

/** A pool that was ordered to stop ends when its last child run does. */
export function endStoppedPools(progress: StepProgress): void {
  for (const task of Object.values(progress.snapshot.tasks)) {
    if (task.units === null || task.stopping === null || unitTasks(progress, task.id).length > 0) continue;
    endTask(progress, task.id, stoppedResult(task, task.stopping));
  }
}

/** Stops all work of the run. */
export function stopEverything(progress: StepProgress, failure: Failure): void {
  for (const { id } of Object.values(progress.snapshot.tasks)) {
    const task = progress.task(id);
    if (task !== undefined) stopTask(progress, task, failure);
  }
}

/** Units that never started still get an outcome (L5). */
export function endWaitingUnits(progress: StepProgress, pool: TaskId, failure: Failure): void {
  for (const unit of unitsInOrder(progress.task(pool))) {
    if (unit.status !== 'waiting') continue;
    progress.record({
      kind: 'unit.ended',
      task: pool,
      unit: unit.id,
      outcome: failure.class === 'cancelled' ? 'cancelled' : 'skipped',
      reason: failure.message,
    });
  }
}

export function trimEnded(progress: StepProgress, name: string): void {
  const context = progress.snapshot.contexts[name];
  const dropped = context === undefined ? 0 : overflow(context);
  if (context === undefined || dropped === 0) return;
  progress.record({ kind: 'context.trimmed', context: name, dropped, chars: context.chars });
}

function clearTimers(progress: StepProgress, task: Task): void {
  if (task.deadline !== null) progress.emit({ kind: 'timer.clear', timer: `${task.id}/deadline` });
  if (task.turn?.phase === 'waiting') progress.emit({ kind: 'timer.clear', timer: `${task.id}/retry` });
  if (task.work.kind === 'wait') progress.emit({ kind: 'timer.clear', timer: `${task.id}/wait` });
}

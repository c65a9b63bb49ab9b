import { advance } from './advance.ts';
import { owedDelivery, startDelivery, startedDelivery } from './delivery.ts';
import { lookWhenStill } from './approval.ts';
import type { Effect } from '../model/effect.ts';
import type { RunResumed } from '../record/fact.ts';
import { armDeadline, armDuration } from '../model/limits.ts';
import { StepProgress } from './progress.ts';
import type { Definition } from '../model/definition.ts';
import type { RunTerms } from '../model/run-terms.ts';
import { isRunBelow } from '../fold/open-children.ts';
import type { Snapshot, Task } from '../fold/snapshot.ts';
import { emitWork } from './start-task.ts';
import type { Step } from './step.ts';
import { agentName } from './turn/turn.ts';

/**
 * What a run needs to continue after its process died: every effect that was announced and never answered, and whatever the
 * run can do by itself. The epoch of the new driver is the first fact.
 */
export function recover(definition: Definition, snapshot: Snapshot, driver: NewDriver): Step {
  // A run that was cancelled while no process drove it has settled by now; the time until then was no work.
  const isOver = snapshot.status === 'settled' && !owesDelivery(snapshot, driver);
  if (isOver && (driver.downMs ?? 0) === 0) return { facts: [], snapshot, effects: [] };
  const progress = new StepProgress(definition, snapshot, driver.at);
  const { terms, by = 'troupe' } = driver;
  progress.record(resumedFact(driver));
  if (terms !== undefined) progress.record({ kind: 'terms.changed', terms, by });
  if (isOver) return { facts: progress.facts, snapshot: progress.snapshot, effects: [] };
  if (snapshot.status === 'settled') startDelivery(progress);
  else {
    for (const effect of openEffects(definition, progress.snapshot)) progress.emit(effect);
    advance(progress);
  }
  return { facts: progress.facts, snapshot: progress.snapshot, effects: progress.effects };
}

const owesDelivery = (snapshot: Snapshot, { leavesDelivery }: NewDriver): boolean =>
  leavesDelivery !== true && owedDelivery(snapshot) !== null;

function resumedFact({ epoch, worker, by, sandbox, changed, tools, downMs = 0 }: NewDriver): RunResumed {
  return {
    kind: 'run.resumed',
    epoch,
    ...(worker === undefined ? {} : { worker }),
    ...(by === undefined ? {} : { by }),
    ...(sandbox === undefined ? {} : { sandbox }),
    ...(changed === undefined ? {} : { changed }),
    ...(downMs === 0 ? {} : { downMs }),
    ...(tools === undefined ? {} : { tools }),
  };
}

interface NewDriver {
  readonly epoch: number;
  readonly worker?: string | undefined;
  readonly at: number;
  readonly downMs?: number;
  readonly sandbox?: string | undefined;
  readonly changed?: RunResumed['changed'] | undefined;
  readonly tools?: RunResumed['tools'] | undefined;
  readonly terms?: RunTerms | undefined;
  /** It does not have the user's files: the result waits for a process that does. */
  readonly leavesDelivery?: boolean | undefined;
  /** Who resumed it, and changed the sandbox or the terms. */
  readonly by?: string | undefined;
}

/** Every effect in progress in this snapshot, except scripts: `advance` requests those again. */
export function openEffects(definition: Definition, snapshot: Snapshot): readonly Effect[] {
  if (snapshot.status === 'settled') return startedDelivery(snapshot) === null ? [] : [{ kind: 'delivery.run' }];
  const progress = new StepProgress(definition, snapshot, snapshot.at);
  for (const task of Object.values(snapshot.tasks)) emitOpen(progress, task);
  armDuration(progress);
  if (snapshot.rollingBack !== null) progress.emit({ kind: 'rollback.run' });
  return progress.effects;
}

function emitOpen(progress: StepProgress, task: Task): void {
  armDeadline(progress, task);
  if (task.turn === null) {
    emitWork(progress, task.id, task.work);
    // A child that was ordered to stop may never have received the order.
    if (task.stopping !== null && isRunBelow(task.work)) progress.emit({ kind: 'task.stop', task: task.id });
    return;
  }
  const { phase, call, attempt, retryAt, openTools, asking } = task.turn;
  if (phase === 'calling') progress.emit({ kind: 'actor.call', task: task.id, agent: agentName(task), call, attempt });
  if (phase === 'waiting' && retryAt !== null) {
    progress.emit({ kind: 'timer.set', timer: `${task.id}/retry`, at: retryAt });
  }
  for (const toolCall of openTools) {
    if (asking.includes(toolCall.id)) continue;
    progress.emit({ kind: 'tool.run', task: task.id, agent: agentName(task), toolCall });
  }
  lookWhenStill(progress, task.id);
}

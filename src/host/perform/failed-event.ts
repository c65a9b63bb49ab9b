import type { Effect } from '../../core/model/effect.ts';
import type { Event, RunPause } from '../../core/model/event.ts';
import { isFault } from '../../core/model/fault.ts';
import type { Fault } from '../../core/model/fault.ts';
import type { RunId } from '../../core/model/ids.ts';
import type { Failure } from '../../core/model/outcome.ts';
import { faultToFix } from '../../workspace/store/store-fault.ts';

/** Faults of the world become failures of the work: they are journaled and reported, and never lost in a promise. */
export function toFailure(error: unknown, place = ''): Failure {
  const fault = isFault(error) ? error : faultToFix(error, place);
  if (fault !== null) {
    const { code, message, hint } = fault;
    return { code, message, class: 'config', ...(hint === undefined ? {} : { hint }) };
  }
  return { code: 'INTERNAL', message: error instanceof Error ? error.message : String(error), class: 'crash' };
}

/** The event that pauses a run until something is fixed. `worker`: the one of several machines that it has to be fixed on. */
export function pauseUntilFixed(root: RunId, fault: Fault, worker?: string): RunPause {
  const { code, hint = '' } = fault;
  const message = worker === undefined ? fault.message : `On worker ${worker}: ${fault.message}`;
  const ways = REMEDIES[code] ?? hint;
  const goOn = ways.includes('troupe resume') ? '' : ` Then continue with: troupe resume ${root}`;
  const failure: Failure = { code, message, class: 'config', hint: `${ways}${goOn}`.trim() };
  return { kind: 'run.pause', by: 'troupe', reason: message, failure };
}

/** For faults whose own hint is meant for a person who repeats the operation by hand. */
const REMEDIES: Readonly<Record<string, string>> = {
  DISK_FULL: 'Free some space there, for instance with `troupe prune`. What was kept before is unharmed.',
  JOURNAL_FULL: 'Free some space there. Nothing that was done is lost.',
  WORKSPACE_MISSING: 'Find out what deletes the folder.',
};

type Failing = Exclude<Effect, { kind: 'timer.set' | 'timer.clear' | 'task.stop' | 'delivery.run' }>;

/** The event for an effect that could not be performed. */
export function failedEvent(effect: Failing, failure: Failure): Event {
  switch (effect.kind) {
    case 'actor.call':
      return { kind: 'call.failed', task: effect.task, call: effect.call, attempt: effect.attempt, failure };
    case 'tool.run': {
      const { task, toolCall } = effect;
      return { kind: 'tool.finished', task, toolCall: toolCall.id, content: failure.message, isError: true, ms: 0 };
    }
    case 'script.run':
      return { kind: 'script.evaluated', key: effect.key, result: { kind: 'failed', failure } };
    case 'rollback.run':
      return { kind: 'rollback.done', failure };
    default:
      return { kind: 'task.done', task: effect.task, outcome: 'failed', output: null, failure };
  }
}

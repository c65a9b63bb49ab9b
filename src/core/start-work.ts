import { endTask, trim } from './end-task.ts';
import type { ResolvedWork } from './fact.ts';
import { mayCall } from './limits.ts';
import type { Message } from './message.ts';
import { fixedUnits, progressPool } from './pool.ts';
import type { Progress } from './progress.ts';
import { resolve } from './resolve-work.ts';
import { settle } from './settle.ts';
import { startTask, type WorkPlace } from './start-task.ts';
import type { WorkState } from './workflow.ts';

/** Starts the state's work. True when the state can be left at once, because nothing has to be waited for. */
export function startWork(progress: Progress, state: WorkState): boolean {
  const speaks = state.work.kind === 'turn' && state.work.mode === 'ask';
  if (speaks && !mayCall(progress)) return false;
  const place: WorkPlace = { state, key: 'work', locals: {}, pool: null, unit: null };
  const resolved = resolve(progress, state.work, place);
  if (resolved.kind === 'pending') return false;
  if (resolved.kind === 'failed') {
    settle(progress, { outcome: 'failed', output: null, failure: resolved.failure });
    return false;
  }
  const task = startTask(progress, resolved.value, place);
  if (state.work.kind === 'pool') {
    if (state.work.units.kind === 'fixed') {
      progress.record({ kind: 'units.added', task, by: null, units: fixedUnits(state.work.units.list) });
    }
    return progressPool(progress, task);
  }
  if (resolved.value.kind !== 'tell' && resolved.value.kind !== 'clear') return false;
  changeConversation(progress, resolved.value);
  endTask(progress, task, { outcome: 'ok', output: null, failure: null });
  return true;
}

/** `tell` and `clear` change the conversation and are over. */
function changeConversation(progress: Progress, work: Extract<ResolvedWork, { kind: 'tell' | 'clear' }>): void {
  if (work.kind === 'clear') return progress.record({ kind: 'context.cleared', context: work.context });
  const message: Message = { author: 'workflow', to: work.agent, role: 'user', content: work.input };
  progress.record({ kind: 'message.added', context: work.context, message });
  trim(progress, work.context);
}

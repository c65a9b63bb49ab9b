import { mayCall, spends } from './limits.ts';
import { progressPool } from './pool.ts';
import type { Progress } from './progress.ts';
import { resolve } from './resolve-work.ts';
import { settle } from './settle.ts';
import { startTask, type WorkPlace } from './start-task.ts';
import type { WorkState } from './workflow.ts';

/** Starts the state's work. True when the state can be left at once, because nothing has to be waited for. */
export function startWork(progress: Progress, state: WorkState): boolean {
  if (spends(state.work) && !mayCall(progress)) return false;
  const place: WorkPlace = { state, key: 'work', locals: {}, pool: null, unit: null };
  const resolved = resolve(progress, state.work, place);
  if (resolved.kind === 'pending') return false;
  if (resolved.kind === 'failed') {
    settle(progress, { outcome: 'failed', output: null, failure: resolved.failure });
    return false;
  }
  const task = startTask(progress, resolved.value, place);
  if (state.work.kind === 'pool') progressPool(progress, task);
  return progress.snapshot.current.result !== null;
}

import { evaluateJson, writtenAt, type Evaluated } from '../evaluate/evaluation.ts';
import { mayCall, spends } from '../model/limits.ts';
import { progressPool } from './pool/pool.ts';
import type { StepProgress } from './progress.ts';
import { resolve } from './resolve-work.ts';
import { settle } from './settle.ts';
import { shortJson } from '../model/short-json.ts';
import { startTask, type WorkPlace } from './start-task.ts';
import type { WorkState } from '../model/workflow.ts';

/** Starts the state's work. True if the state can be left at once, because there is nothing to wait for. */
export function startWork(progress: StepProgress, state: WorkState): boolean {
  if (spends(state.work) && !mayCall(progress)) return false;
  const place: WorkPlace = { state, key: 'work', locals: {}, pool: null, unit: null };
  const timeout = timeoutOf(progress, state);
  if (timeout.kind !== 'value') return giveUp(progress, timeout);
  const resolved = resolve(progress, state.work, place);
  if (resolved.kind !== 'value') return giveUp(progress, resolved);
  const task = startTask(progress, resolved.value, { ...place, timeoutMs: timeout.value });
  if (state.work.kind === 'pool') progressPool(progress, task);
  return progress.snapshot.current.result !== null;
}

/** Waits for the isolate, or ends the run after a failure. */
function giveUp(progress: StepProgress, found: Exclude<Evaluated<unknown>, { kind: 'value' }>): false {
  if (found.kind === 'failed') settle(progress, { outcome: 'failed', output: null, failure: found.failure });
  return false;
}

/** No time left means a deadline reached at once, not a missing one. */
function timeoutOf(progress: StepProgress, state: WorkState): Evaluated<number | null> {
  if (state.timeout === undefined) return { kind: 'value', value: null };
  const place = { key: 'timeout', what: `The timeout of state ${state.name}`, locals: {}, at: state.at };
  const found = evaluateJson(progress, state.timeout, place);
  if (found.kind !== 'value') return found;
  const ms = found.value;
  if (ms === null) return { kind: 'value', value: null };
  if (typeof ms === 'number' && Number.isFinite(ms)) return { kind: 'value', value: Math.max(0, ms) };
  const message = `The timeout of state ${state.name}${writtenAt(progress, state.at)} must be a number of milliseconds; it is ${shortJson(ms)}.`;
  return { kind: 'failed', failure: { code: 'TIMEOUT_NOT_A_NUMBER', message, class: 'script' } };
}

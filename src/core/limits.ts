import { stopEverything } from './end-task.ts';
import type { Event } from './event.ts';
import type { LimitName, LimitReached } from './fact.ts';
import type { Failure } from './outcome.ts';
import type { Progress } from './progress.ts';
import { settle } from './settle.ts';
import { totalTokens } from './usage.ts';

/** Codes people see when a limit is met. */
export const LIMIT_CODES: Readonly<Record<LimitName, string>> = {
  iterations: 'MAX_ITERATIONS',
  toolRounds: 'MAX_TOOL_ROUNDS',
  durationMs: 'MAX_DURATION',
  tokens: 'MAX_TOKENS',
  usd: 'MAX_USD',
};

/** Reaching a limit pauses the run and asks; nothing new starts until somebody raised it (L10). */
export function reach(progress: Progress, reached: Omit<LimitReached, 'kind'>): void {
  progress.record({ kind: 'limit.reached', ...reached });
}

/** Whether another model call may start; pauses the run where it may not. */
export function mayCall(progress: Progress): boolean {
  const { limits, usage, costUsd, paused, current } = progress.snapshot;
  if (paused !== null) return false;
  const tokens = totalTokens(usage);
  if (limits.tokens !== undefined && tokens >= limits.tokens) {
    reach(progress, { limit: 'tokens', allowed: limits.tokens, used: tokens, state: current.state });
    return false;
  }
  if (limits.usd !== undefined && costUsd !== null && costUsd >= limits.usd) {
    reach(progress, { limit: 'usd', allowed: limits.usd, used: costUsd, state: current.state });
    return false;
  }
  return true;
}

export function reachDuration(progress: Progress): void {
  const { limits, startedAt, paused, current } = progress.snapshot;
  if (limits.durationMs === undefined || paused !== null) return;
  const used = progress.at - startedAt;
  if (used < limits.durationMs) return;
  reach(progress, { limit: 'durationMs', allowed: limits.durationMs, used, state: current.state });
}

/** The run's own alarm clock, set again after every raise: it may have rung while the run was paused by another limit. */
export function armDuration(progress: Progress): void {
  const { limits, startedAt } = progress.snapshot;
  if (limits.durationMs === undefined) return;
  progress.emit({ kind: 'timer.set', timer: 'run/duration', at: startedAt + limits.durationMs });
}

export function raiseLimit(progress: Progress, event: Extract<Event, { kind: 'limit.raise' }>): void {
  const { limits } = progress.snapshot;
  if (!Number.isFinite(event.allowed) || event.allowed <= (limits[event.limit] ?? 0)) return;
  progress.record({ kind: 'limit.raised', limit: event.limit, allowed: event.allowed, by: event.by });
  armDuration(progress);
}

/** `stop` ends the run; a number is the new limit; anything else lets it go on for as much again. */
export function answerLimit(progress: Progress, event: Extract<Event, { kind: 'question.answered' }>): void {
  const paused = progress.snapshot.paused;
  if (paused === null || event.question !== `limit/${paused.limit}`) return;
  progress.record(event);
  if (event.answer === 'stop') {
    stopEverything(progress, { code: 'STOPPED', message: `Stopped by ${event.by}.`, class: 'cancelled' });
    return settle(progress, { outcome: 'quota', output: null, failure: limitFailure(paused) });
  }
  const wanted = Number(event.answer);
  // Time goes on while nobody answers, so as much again counts from now.
  const used = paused.limit === 'durationMs' ? progress.at - progress.snapshot.startedAt : paused.used;
  const allowed = wanted > paused.allowed && Number.isFinite(wanted) ? wanted : used + paused.allowed;
  raiseLimit(progress, { kind: 'limit.raise', limit: paused.limit, allowed, by: event.by });
}

export function limitFailure(reached: LimitReached): Failure {
  return {
    code: LIMIT_CODES[reached.limit],
    message: describeLimit(reached),
    class: 'limit',
    hint: 'Resume the run with a higher limit, or answer its question.',
  };
}

export function describeLimit(reached: LimitReached): string {
  return DESCRIPTIONS[reached.limit](reached);
}

const DESCRIPTIONS: Readonly<Record<LimitName, (reached: LimitReached) => string>> = {
  iterations: ({ state, allowed }) => `State ${state} was entered ${allowed} times, which is the limit.`,
  toolRounds: ({ state, allowed }) =>
    `The agent in ${state} called the model ${allowed} times in one turn, which is the limit.`,
  durationMs: ({ used, allowed }) =>
    `The run has taken ${Math.round(used / 1000)} s of ${Math.round(allowed / 1000)} s.`,
  tokens: ({ used, allowed }) => `The run has used ${used} of ${allowed} tokens.`,
  usd: ({ used, allowed }) => `The run has cost ${used.toFixed(4)} of ${allowed} USD.`,
};

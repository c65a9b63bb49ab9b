import type { FaultCode } from '../codes/codes.ts';
import { costText, durationText } from '../look/amount-text.ts';
import type { Event } from './event.ts';
import type { LimitName, LimitReached } from '../record/limit-fact.ts';
import type { Failure } from './outcome.ts';
import type { QuestionAnswered } from '../record/question-fact.ts';
import type { StepProgress } from '../step/progress.ts';
import type { Pause, Snapshot, Task } from '../fold/snapshot.ts';
import { readAnswer } from '../check/check-answer.ts';
import { limitQuestion } from '../record/question-name.ts';
import { isRunPaused } from '../step/paused.ts';
import { stopRun } from '../step/stop-run.ts';
import { totalTokens } from './usage.ts';
import { isAtRest, runTime } from '../fold/work-clock.ts';
import type { Work } from './workflow.ts';

/** Codes people see when a limit is met. */
export const LIMIT_CODES: Readonly<Record<LimitName, FaultCode>> = {
  iterations: 'MAX_ITERATIONS',
  toolRounds: 'MAX_TOOL_ROUNDS',
  durationMs: 'MAX_DURATION',
  tokens: 'MAX_TOKENS',
  usd: 'MAX_USD',
};

/** Pauses the run and asks. Nothing new starts until a person raises the limit (L10). */
export function reach(progress: StepProgress, reached: Reached): void {
  const ofParent = isOfParent(progress, reached.limit) ? ({ isOfParent: true } as const) : {};
  progress.record({ kind: 'limit.reached', ...reached, ...ofParent });
}

type Reached = Omit<LimitReached, 'kind'>;

/** The run above left less than the run's own workflow allows. */
function isOfParent(progress: StepProgress, limit: LimitName): boolean {
  const { snapshot } = progress;
  if (snapshot.parent === null || (limit !== 'tokens' && limit !== 'usd')) return false;
  return (snapshot.limits[limit] ?? Infinity) < ownLimit(progress, limit);
}

/** What the workflow of a run allows it; a turn that it takes for the run above has the limits of that run alone. */
export const ownLimit = ({ snapshot, workflow }: StepProgress, limit: 'tokens' | 'usd'): number =>
  snapshot.apart === null ? (workflow.limits[limit] ?? Infinity) : Infinity;

/** Work that will call a model, here or in a child run. */
export function spends(work: Work): boolean {
  if (work.kind === 'choice') return Object.values(work.cases).some(spends);
  return work.kind === 'call' || (work.kind === 'turn' && work.mode === 'ask');
}

/** Whether another model call may start; pauses the run where it may not. */
export function mayCall(progress: StepProgress): boolean {
  if (isRunPaused(progress.snapshot)) return false;
  const reached = spentLimit(progress.snapshot);
  if (reached !== null) reach(progress, reached);
  return reached === null;
}

/** The limit on tokens or money that leaves nothing for another call; that on money as soon as a cost is unknown. */
export function spentLimit({ limits, usage, costUsd, current: { state } }: Snapshot): Reached | null {
  const { tokens, usd } = limits;
  const used = totalTokens(usage);
  if (tokens !== undefined && used >= tokens) return { limit: 'tokens', allowed: tokens, used, state };
  if (usd === undefined || usd === UNWATCHED || (costUsd !== null && costUsd < usd)) return null;
  const unknown = costUsd === null ? ({ isUnknown: true } as const) : {};
  return { limit: 'usd', allowed: usd, used: costUsd ?? 0, state, ...unknown };
}

/** A person let the run continue although its cost is unknown. */
export const UNWATCHED = Number.MAX_SAFE_INTEGER;

export function reachDuration(progress: StepProgress): void {
  const { limits, current, stopping, rollingBack, clock } = progress.snapshot;
  if (limits.durationMs === undefined || isRunPaused(progress.snapshot)) return;
  // A run that is stopping does not ask whether to continue.
  if (stopping !== null || rollingBack !== null) return;
  const used = runTime(clock, progress.at).workedMs;
  if (used < limits.durationMs) return;
  reach(progress, { limit: 'durationMs', allowed: limits.durationMs, used, state: current.state });
}

/** The alarm of the run, set again whenever the run continues: it may have rung while the run waited for a person. */
export function armDuration(progress: StepProgress): void {
  const { limits, clock, status } = progress.snapshot;
  if (limits.durationMs === undefined || isAtRest(clock) || status === 'settled') return;
  const leftMs = limits.durationMs - runTime(clock, progress.at).workedMs;
  progress.emit({ kind: 'timer.set', timer: 'run/duration', at: progress.at + leftMs });
}

export function raiseLimit(progress: StepProgress, event: Extract<Event, { kind: 'limit.raise' }>): void {
  const { limits } = progress.snapshot;
  if (!Number.isFinite(event.allowed) || event.allowed <= (limits[event.limit] ?? 0)) return;
  progress.record({ kind: 'limit.raised', limit: event.limit, allowed: event.allowed, by: event.by });
  for (const task of Object.values(progress.snapshot.tasks)) armDeadline(progress, task);
}

/** A task that is stopping needs no deadline. */
export function armDeadline(progress: StepProgress, { id, deadline, stopping }: Task): void {
  if (deadline === null || stopping !== null) return;
  progress.emit({ kind: 'timer.set', timer: `${id}/deadline`, at: deadline });
}

/** `stop` ends the run, a number is the new limit, `continue` adds the same amount again. */
export function answerLimit(progress: StepProgress, event: QuestionAnswered): void {
  const { paused } = progress.snapshot;
  if (paused === null || event.question !== limitQuestion(paused)) return;
  const read = readAnswer({ kind: 'limit', choices: [] }, event.answer, paused.allowed);
  if (!read.ok) return;
  progress.record(event);
  if (read.answer === 'stop') {
    const ofWork: Failure = { code: 'STOPPED', message: `Stopped by ${event.by}.`, class: 'cancelled' };
    return stopRun(progress, { outcome: 'quota', failure: limitFailure(paused), ofWork });
  }
  const allowed = typeof read.answer === 'number' ? read.answer : asMuchAgain(paused);
  raiseLimit(progress, { kind: 'limit.raise', limit: paused.limit, allowed, by: event.by });
}

function asMuchAgain({ limit, used, allowed, isUnknown }: Pause): number {
  return isUnknown === true ? UNWATCHED : used + (allowed > 0 ? allowed : LEAST[limit]);
}

/** Doubling a limit of zero gives zero, so `continue` adds at least this much. */
const LEAST: Readonly<Record<LimitName, number>> = {
  iterations: 1,
  toolRounds: 1,
  durationMs: 60_000,
  tokens: 1000,
  usd: 0.01,
};

export function limitFailure(reached: LimitReached): Failure {
  return {
    code: LIMIT_CODES[reached.limit],
    message: describeLimit(reached),
    class: 'limit',
    hint: 'Resume the run with a higher limit, or answer its question.',
  };
}

/** An amount of what a limit counts: `2m 00s`, `$0.50`, `4000`. */
export function limitText(limit: LimitName, amount: number): string {
  if (amount === UNWATCHED) return 'no limit';
  if (limit === 'usd') return costText(amount);
  return limit === 'durationMs' ? durationText(amount) : String(amount);
}

export function describeLimit(reached: LimitReached): string {
  return DESCRIPTIONS[reached.limit](reached);
}

const DESCRIPTIONS: Readonly<Record<LimitName, (reached: LimitReached) => string>> = {
  iterations: ({ state, allowed }) => `State ${state} was entered ${allowed} times, which is the limit.`,
  toolRounds: ({ state, allowed }) =>
    `The agent in ${state} called the model ${allowed} times in one turn, which is the limit.`,
  durationMs: ({ used, allowed }) => `The run has taken ${durationText(used)} of ${durationText(allowed)}.`,
  tokens: ({ used, allowed }) => `The run has used ${used} of ${allowed} tokens.`,
  usd: ({ used, allowed, isUnknown }) =>
    isUnknown === true
      ? `What the run costs is not known, so its limit of ${costText(allowed)} cannot be watched.`
      : `The run has cost ${costText(used)} of ${costText(allowed)}.`,
};

import type { Failure, FailureClass } from '../model/outcome.ts';
import { textHash } from '../model/text-hash.ts';
import type { RetryPolicy } from '../model/workflow.ts';

/** Tries in all, by class of failure. Failures that a second try cannot fix are tried once. */
const TRIES: Readonly<Record<FailureClass, number>> = {
  rate: 6,
  overload: 6,
  server: 4,
  network: 4,
  timeout: 2,
  'bad-reply': 2,
  crash: 2,
  // The next try starts a new conversation, so earlier failures of other kinds do not count against it.
  session: 6,
  auth: 1,
  quota: 1,
  'bad-request': 1,
  config: 1,
  script: 1,
  limit: 1,
  cancelled: 1,
  logic: 1,
};

/** A longer wait counts as a refusal, so that a run never sleeps for hours unnoticed. */
const LONGEST_WISH_MS = 15 * 60_000;

export const DEFAULT_RETRY: RetryPolicy = { tries: {}, baseMs: 1000, maxMs: 60_000 };

/**
 * How long to wait before the next try, or null when this was the last. Doubles each time, spread by a hash of the
 * call's own id instead of a random number, so that the same run waits the same (L9). A provider's wish is honoured up
 * to fifteen minutes. What comes out is journaled, so it is always a time: numbers that are none count as not given.
 */
export function retryDelayMs(
  policy: RetryPolicy,
  failure: Failure,
  attempt: { readonly number: number; readonly key: string },
): number | null {
  if (isTimedQuota(failure)) return attempt.number >= MOST_QUOTA_WAITS ? null : quotaWaitMs(policy, failure);
  const tries = policy.tries[failure.class] ?? TRIES[failure.class];
  if (attempt.number >= tries) return null;
  const wish = failure.retryAfterMs ?? 0;
  if (wish > LONGEST_WISH_MS) return null;
  const baseMs = timeOr(policy.baseMs, DEFAULT_RETRY.baseMs);
  const maxMs = timeOr(policy.maxMs, DEFAULT_RETRY.maxMs);
  const full = Math.min(maxMs, baseMs * 2 ** (attempt.number - 1));
  const spread = full / 2 + (full / 2) * fraction(`${attempt.key}/${attempt.number}`);
  return Math.max(Math.round(spread), timeOr(wish, 0));
}

type TimedQuota = Failure & { readonly retryAfterMs: number };

/** A quota with a known end is waited for, however long: the run then continues by itself (Q5). */
function isTimedQuota(failure: Failure): failure is TimedQuota {
  const { class: kind, retryAfterMs = -1 } = failure;
  return kind === 'quota' && Number.isFinite(retryAfterMs) && retryAfterMs >= 0;
}

/** A little later than requested: the provider's clock may be behind, and a call that comes too early is refused again. */
function quotaWaitMs({ maxMs }: RetryPolicy, { retryAfterMs }: TimedQuota): number {
  return Math.min(retryAfterMs, WEEK_MS) + Math.min(timeOr(maxMs, CLOCK_SLACK_MS), CLOCK_SLACK_MS);
}

const CLOCK_SLACK_MS = 60_000;

const MOST_QUOTA_WAITS = 50;
const WEEK_MS = 7 * 24 * 60 * 60_000;

const timeOr = (value: number, otherwise: number): number => (Number.isFinite(value) && value >= 0 ? value : otherwise);

/** A number from 0 up to 1. */
const fraction = (text: string): number => textHash(text) / 0x1_0000_0000;

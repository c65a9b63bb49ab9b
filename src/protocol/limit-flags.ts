import type { LimitName } from '../core/record/limit-fact.ts';

/** The flag of `resume` that raises a limit, and what people write behind it. */
export const LIMIT_FLAGS: Readonly<Record<LimitName, string>> = {
  iterations: '--max-iterations N',
  toolRounds: '--max-tool-rounds N',
  durationMs: '--max-duration SECONDS',
  tokens: '--max-tokens N',
  usd: '--max-usd AMOUNT',
};

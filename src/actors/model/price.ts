import type { CostUsd, Usage } from '../../core/usage.ts';

/** USD per million tokens. Cached tokens cost as much as fresh ones where no price of their own is given. */
export interface Price {
  readonly input: number;
  readonly output: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
}

const MILLION = 1_000_000;

/** Null rather than a guess: without a price, or without the tokens it applies to. */
export function costOf(usage: Usage | null, price: Price | undefined): CostUsd {
  if (usage === null || price === undefined) return null;
  const fresh = Math.max(0, usage.inputTokens - usage.cacheReadTokens - usage.cacheWriteTokens);
  const total =
    fresh * price.input +
    usage.cacheReadTokens * (price.cacheRead ?? price.input) +
    usage.cacheWriteTokens * (price.cacheWrite ?? price.input) +
    usage.outputTokens * price.output;
  return total / MILLION;
}

/** Tokens of one call, or summed over several. The cost is separate, because a price may be unknown. */
export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly calls: number;
}

export const NO_USAGE: Usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, calls: 0 };

export function addUsage(a: Usage, b: Usage): Usage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cacheReadTokens: a.cacheReadTokens + b.cacheReadTokens,
    cacheWriteTokens: a.cacheWriteTokens + b.cacheWriteTokens,
    calls: a.calls + b.calls,
  };
}

/** The usage without one part of it; never below zero. */
export function usageMinus(all: Usage, part: Usage): Usage {
  const rest = (name: keyof Usage): number => Math.max(0, all[name] - part[name]);
  return {
    inputTokens: rest('inputTokens'),
    outputTokens: rest('outputTokens'),
    cacheReadTokens: rest('cacheReadTokens'),
    cacheWriteTokens: rest('cacheWriteTokens'),
    calls: rest('calls'),
  };
}

export const totalTokens = (usage: Usage): number => usage.inputTokens + usage.outputTokens;

/** The share of the input that came from a provider's cache, in whole percent. */
export const cachedPercent = ({ inputTokens, cacheReadTokens }: Usage): number =>
  inputTokens === 0 ? 0 : Math.floor((100 * cacheReadTokens) / inputTokens);

/** Money: a sum that stays unknown once any part of it is. */
export type CostUsd = number | null;

export const addCost = (a: CostUsd, b: CostUsd): CostUsd => (a === null || b === null ? null : a + b);

/** Nothing that a report or a sum would change by. */
export const isNothing = ({ usage, costUsd }: Spent): boolean =>
  usage.calls === 0 && totalTokens(usage) === 0 && costUsd === 0;

/** Tokens and money. */
export interface Spent {
  readonly usage: Usage;
  /** Null: at least one price is unknown. */
  readonly costUsd: CostUsd;
}

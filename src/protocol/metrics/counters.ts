import { addCost, NO_USAGE, type CostUsd, type Usage } from '../../core/model/usage.ts';
import type { DurationFigures, OutcomeCounts, UseFigures, WorkFigures } from './metrics-view.ts';

/** Every counter can be kept as `sums`, plain and short, and take the sums of another one. */
export type FigureSums = readonly [
  totalMs: number,
  count: number,
  longestMs: number | null,
  counts: Counts,
  spending?: SpendingSums,
];
export type SpendingSums = readonly [
  inputTokens: number,
  outputTokens: number,
  cacheReadTokens: number,
  cacheWriteTokens: number,
  calls: number,
  costUsd: CostUsd,
  known: number,
];

type Counts = Readonly<Partial<Record<string, number>>>;

/** Work of one sort: durations, outcomes and cost. */
export class Figure {
  readonly spending = new Spending();
  readonly #counts: Partial<Record<string, number>> = {};
  #totalMs = 0;
  #count = 0;
  #longestMs: number | null = null;

  add(outcome: string | null, ms: number): void {
    this.#time(Math.max(0, ms), 1, Math.max(0, ms));
    if (outcome !== null) this.count(outcome);
  }

  count(name: string, count = 1): void {
    this.#counts[name] = (this.#counts[name] ?? 0) + count;
  }

  countOf(name: string): number {
    return this.#counts[name] ?? 0;
  }

  take([totalMs, count, longestMs, counts, spending]: FigureSums): void {
    this.#time(totalMs, count, longestMs);
    for (const [name, times = 0] of Object.entries(counts)) this.count(name, times);
    if (spending !== undefined) this.spending.take(spending);
  }

  get sums(): FigureSums {
    const works = [this.#totalMs, this.#count, this.#longestMs, { ...this.#counts }] as const;
    const spending = this.spending.sums;
    return spending.every((sum) => sum === 0) ? works : [...works, spending];
  }

  get durationMs(): DurationFigures {
    const average = this.#count === 0 ? null : Math.round(this.#totalMs / this.#count);
    return { total: this.#totalMs, average, longest: this.#longestMs };
  }

  get outcomes(): OutcomeCounts {
    return { ...this.#counts };
  }

  get works(): WorkFigures {
    return { count: this.#count, outcomes: this.outcomes, durationMs: this.durationMs };
  }

  get uses(): UseFigures {
    const { ok = 0, failed = 0, refused = 0 } = this.#counts;
    const calls = ok + failed + refused;
    return { calls, ok, failed, refused, successRate: rate(ok, calls) };
  }

  #time(totalMs: number, count: number, longestMs: number | null): void {
    this.#totalMs += totalMs;
    this.#count += count;
    if (longestMs !== null) this.#longestMs = Math.max(this.#longestMs ?? 0, longestMs);
  }
}

/** Tokens and money. */
export class Spending {
  /** Changed in place: sums of very many calls pass through here. */
  readonly #usage = { ...NO_USAGE };
  #costUsd: CostUsd = 0;
  #known = 0;

  add({ usage, costUsd }: { readonly usage: Usage; readonly costUsd: CostUsd }): void {
    const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, calls } = usage;
    this.take([inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, calls, costUsd, costUsd ?? 0]);
  }

  take(sums: SpendingSums): void {
    const [inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, calls, costUsd, known] = sums;
    this.#usage.inputTokens += inputTokens;
    this.#usage.outputTokens += outputTokens;
    this.#usage.cacheReadTokens += cacheReadTokens;
    this.#usage.cacheWriteTokens += cacheWriteTokens;
    this.#usage.calls += calls;
    this.#costUsd = addCost(this.#costUsd, costUsd);
    this.#known += known;
  }

  get sums(): SpendingSums {
    const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, calls } = this.#usage;
    return [inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, calls, this.#costUsd, this.#known];
  }

  get figures(): { readonly usage: Usage; readonly costUsd: CostUsd; readonly knownCostUsd: number } {
    return { usage: { ...this.#usage }, costUsd: this.#costUsd, knownCostUsd: this.#known };
  }
}

export const rate = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);

/** The entry of a map, made when it is first asked for. */
export function entry<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

import type { Outcome } from '../../core/outcome.ts';
import { addCost, NO_USAGE, type CostUsd, type Usage } from '../../core/usage.ts';
import type { DurationFigures, OutcomeCounts, UseFigures, WorkFigures } from './metrics-view.ts';

/** Every counter can be kept as `sums`, plain and short, and take the sums of another one. */
export type DurationSums = readonly [total: number, count: number, longest: number | null];
export type WorkSums = readonly [...DurationSums, outcomes: OutcomeCounts];
export type UseSums = readonly [ok: number, failed: number, refused: number];
export type SpendingSums = readonly [
  inputTokens: number,
  outputTokens: number,
  cacheReadTokens: number,
  cacheWriteTokens: number,
  calls: number,
  costUsd: CostUsd,
  known: number,
];

/** Times, summed. */
export class Durations {
  #total = 0;
  #count = 0;
  #longest: number | null = null;

  add(ms: number): void {
    const time = Math.max(0, ms);
    this.take([time, 1, time]);
  }

  take([total, count, longest]: DurationSums): void {
    this.#total += total;
    this.#count += count;
    if (longest !== null) this.#longest = Math.max(this.#longest ?? 0, longest);
  }

  get sums(): DurationSums {
    return [this.#total, this.#count, this.#longest];
  }

  get count(): number {
    return this.#count;
  }

  get figures(): DurationFigures {
    const average = this.#count === 0 ? null : Math.round(this.#total / this.#count);
    return { total: this.#total, average, longest: this.#longest };
  }
}

/** How often each outcome came. */
export class Outcomes {
  readonly #counts: Partial<Record<Outcome, number>> = {};

  add(outcome: Outcome, count = 1): void {
    this.#counts[outcome] = (this.#counts[outcome] ?? 0) + count;
  }

  take(counts: OutcomeCounts): void {
    for (const outcome in counts) this.add(outcome as Outcome, counts[outcome as Outcome]);
  }

  get counts(): OutcomeCounts {
    return { ...this.#counts };
  }
}

/** Pieces of work, by how they came out. */
export class Works {
  readonly #outcomes = new Outcomes();
  readonly #durations = new Durations();

  add(outcome: Outcome | null, ms: number): void {
    this.#durations.add(ms);
    if (outcome !== null) this.#outcomes.add(outcome);
  }

  take([total, count, longest, outcomes]: WorkSums): void {
    this.#durations.take([total, count, longest]);
    this.#outcomes.take(outcomes);
  }

  get sums(): WorkSums {
    return [...this.#durations.sums, this.#outcomes.counts];
  }

  get figures(): WorkFigures {
    const { count, figures: durationMs } = this.#durations;
    return { count, outcomes: this.#outcomes.counts, durationMs };
  }
}

/** Uses of tools. */
export class Uses {
  #ok = 0;
  #failed = 0;
  #refused = 0;

  add(how: 'ok' | 'failed' | 'refused'): void {
    this.take([how === 'ok' ? 1 : 0, how === 'failed' ? 1 : 0, how === 'refused' ? 1 : 0]);
  }

  take([ok, failed, refused]: UseSums): void {
    this.#ok += ok;
    this.#failed += failed;
    this.#refused += refused;
  }

  get sums(): UseSums {
    return [this.#ok, this.#failed, this.#refused];
  }

  get figures(): UseFigures {
    const [ok, failed, refused] = this.sums;
    return { calls: ok + failed + refused, ok, failed, refused, successRate: rate(ok, ok + failed + refused) };
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

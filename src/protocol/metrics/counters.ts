import type { Outcome } from '../../core/outcome.ts';
import { addCost, addUsage, NO_USAGE, type CostUsd, type Usage } from '../../core/usage.ts';
import type { DurationFigures, UseFigures, WorkFigures } from './metrics-view.ts';

/** Times, summed. */
export class Durations {
  #total = 0;
  #count = 0;
  #longest: number | null = null;

  add(ms: number): void {
    const time = Math.max(0, ms);
    this.#total += time;
    this.#count += 1;
    this.#longest = Math.max(this.#longest ?? 0, time);
  }

  get figures(): DurationFigures {
    const average = this.#count === 0 ? null : Math.round(this.#total / this.#count);
    return { total: this.#total, average, longest: this.#longest };
  }
}

/** Pieces of work, by how they came out. */
export class Works {
  readonly #outcomes: Partial<Record<Outcome, number>> = {};
  readonly #durations = new Durations();
  #count = 0;

  add(outcome: Outcome | null, ms: number): void {
    this.#count += 1;
    this.#durations.add(ms);
    if (outcome !== null) this.#outcomes[outcome] = (this.#outcomes[outcome] ?? 0) + 1;
  }

  get figures(): WorkFigures {
    return { count: this.#count, outcomes: { ...this.#outcomes }, durationMs: this.#durations.figures };
  }
}

/** Uses of tools. */
export class Uses {
  #ok = 0;
  #failed = 0;
  #refused = 0;

  add(how: 'ok' | 'failed' | 'refused'): void {
    if (how === 'ok') this.#ok += 1;
    else if (how === 'failed') this.#failed += 1;
    else this.#refused += 1;
  }

  get figures(): UseFigures {
    const [ok, failed, refused] = [this.#ok, this.#failed, this.#refused];
    return { calls: ok + failed + refused, ok, failed, refused, successRate: rate(ok, ok + failed + refused) };
  }
}

/** Tokens and money. */
export class Spending {
  #usage = NO_USAGE;
  #costUsd: CostUsd = 0;
  #known = 0;

  add(spent: { readonly usage: Usage; readonly costUsd: CostUsd }): void {
    this.#usage = addUsage(this.#usage, spent.usage);
    this.#costUsd = addCost(this.#costUsd, spent.costUsd);
    this.#known += spent.costUsd ?? 0;
  }

  get figures(): { readonly usage: Usage; readonly costUsd: CostUsd; readonly knownCostUsd: number } {
    return { usage: this.#usage, costUsd: this.#costUsd, knownCostUsd: this.#known };
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

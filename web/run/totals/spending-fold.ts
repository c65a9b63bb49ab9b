import { ChargeBook, type OwnCharge } from '../../../src/core/charge.ts';
import type { JournalRecord } from '../../../src/core/fact.ts';
import type { CostUsd, Usage } from '../../../src/core/usage.ts';
import { entry, Spending } from '../../../src/protocol/metrics/counters.ts';
import { incrementalFold, type Folding } from '../../model/incremental-fold.ts';

/** What was spent, on what. */
export interface Spent {
  readonly usage: Usage;
  /** Null: at least one price is not known. */
  readonly costUsd: CostUsd;
  /** What is known of it. */
  readonly knownCostUsd: number;
}

export interface SpentOn extends Spent {
  /** Null for what belongs to no agent. */
  readonly agent: string | null;
  readonly state: string;
}

/** What a run spent itself, by agent and state; what runs below it spent is theirs. Also what was undone was paid. */
export const spentIn = incrementalFold<readonly SpentOn[]>(() => new SpendingFold());

class SpendingFold implements Folding<readonly SpentOn[]> {
  readonly #book = new ChargeBook();
  readonly #spent = new Map<
    string,
    { readonly agent: string | null; readonly state: string; readonly spending: Spending }
  >();
  #view: readonly SpentOn[] | null = null;

  take(record: JournalRecord): void {
    if (record.fact.kind === 'run.forked') this.#forget();
    const charge = this.#book.take(record);
    if (charge !== null) this.#add(charge);
  }

  get view(): readonly SpentOn[] {
    return (this.#view ??= [...this.#spent.values()].map(({ agent, state, spending }) => ({
      agent,
      state,
      ...spending.figures,
    })));
  }

  /** What came before was paid by the run it was forked from. */
  #forget(): void {
    this.#spent.clear();
    this.#view = null;
  }

  #add(charge: OwnCharge): void {
    const { agent, state } = charge;
    const key = `${agent ?? ''}\n${state}`;
    entry(this.#spent, key, () => ({ agent, state, spending: new Spending() })).spending.add(charge);
    this.#view = null;
  }
}

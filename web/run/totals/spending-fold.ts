import type { Fact, JournalRecord } from '../../../src/core/fact.ts';
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
  /** Null for what belongs to no agent, such as what a stopped client had used. */
  readonly agent: string | null;
  readonly state: string;
}

/** What a run spent itself, by agent and state; what runs below it spent is theirs. Also what was undone was paid. */
export const spentIn = incrementalFold<readonly SpentOn[]>(() => new SpendingFold());

class SpendingFold implements Folding<readonly SpentOn[]> {
  readonly #tasks = new Map<string, { readonly agent: string | null; readonly state: string }>();
  readonly #spent = new Map<
    string,
    { readonly agent: string | null; readonly state: string; readonly spending: Spending }
  >();
  #state = '';
  #view: readonly SpentOn[] | null = null;

  take({ fact }: JournalRecord): void {
    if (fact.kind === 'state.entered') this.#state = fact.state;
    if (fact.kind === 'run.forked') this.#forget();
    if (fact.kind === 'task.started') {
      this.#tasks.set(fact.task, { agent: fact.work.kind === 'turn' ? fact.work.agent : null, state: fact.state });
    }
    const spent = ownSpending(fact);
    if (spent !== null) this.#add('task' in fact && fact.task !== null ? fact.task : '', spent);
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

  #add(task: string, spent: { readonly usage: Usage; readonly costUsd: CostUsd }): void {
    const { agent, state } = this.#tasks.get(task) ?? { agent: null, state: this.#state };
    const key = `${agent ?? ''}\n${state}`;
    entry(this.#spent, key, () => ({ agent, state, spending: new Spending() })).spending.add(spent);
    this.#view = null;
  }
}

function ownSpending(fact: Fact): { readonly usage: Usage; readonly costUsd: CostUsd } | null {
  if (fact.kind === 'call.answered' || fact.kind === 'usage.noted') return fact;
  return fact.kind === 'call.failed' ? (fact.spent ?? null) : null;
}

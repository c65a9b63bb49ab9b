import { costText } from '../../core/amount-text.ts';
import { chargeOf } from '../../core/charge.ts';
import type { JournalRecord } from '../../core/fact.ts';
import { addCost, type CostUsd } from '../../core/usage.ts';
import { counted } from '../../protocol/amounts.ts';
import { clockText } from './story-line.ts';

/** How far a run and those below it are: steps done of those that are known, time and cost. */
export class RunProgress {
  readonly #units = new Map<string, boolean>();
  #turns = 0;
  #costUsd: CostUsd = 0;
  #began: number | null = null;
  #lastAt = 0;

  learn(run: string, { fact, at }: JournalRecord): void {
    // The time between two processes is not the run's.
    if (fact.kind === 'run.resumed' && this.#began !== null && this.#lastAt > 0) this.#began += at - this.#lastAt;
    this.#began ??= at;
    this.#lastAt = at;
    const charge = chargeOf(fact);
    if (charge !== null && !charge.isOfChild) this.#costUsd = addCost(this.#costUsd, charge.costUsd);
    if (fact.kind === 'units.added')
      for (const { id } of fact.units) this.#units.set(`${run} ${fact.task} ${id}`, false);
    if (fact.kind === 'unit.ended') this.#units.set(`${run} ${fact.task} ${fact.unit}`, true);
  }

  /** One unit of a pool, or one turn of an agent. */
  stepEnded(run: string, pool: string | null, unit: string | null): void {
    if (pool !== null && unit !== null) this.#units.set(`${run} ${pool} ${unit}`, true);
    else this.#turns += 1;
  }

  /** Milliseconds from the beginning of the run. */
  elapsed(at: number): number {
    return this.#began === null ? 0 : at - this.#began;
  }

  text(now: number): string {
    const all = [...this.#units.values()];
    const done = all.filter(Boolean).length;
    const steps = all.length === 0 ? counted(this.#turns, 'turn') : `${done} of ${all.length} steps`;
    const cost = this.#costUsd === 0 || this.#costUsd === null ? [] : [costText(this.#costUsd)];
    return [steps, clockText(this.elapsed(now)), ...cost].join(' · ');
  }
}

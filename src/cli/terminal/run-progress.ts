import { costText } from '../../core/amount-text.ts';
import { chargeOf } from '../../core/charge.ts';
import type { JournalRecord } from '../../core/fact.ts';
import { addCost, type CostUsd } from '../../core/usage.ts';
import { advanceClock, runTime, startClock, type RunClock } from '../../core/work-clock.ts';
import { counted } from '../../protocol/amounts.ts';
import { clockText } from './story-line.ts';

/** How far a run and those below it are: steps done of those that are known, time and cost. */
export class RunProgress {
  readonly #units = new Map<string, boolean>();
  #turns = 0;
  #costUsd: CostUsd = 0;
  #clock: RunClock | null = null;

  /** Runs below are part of the work of the root: they have a cost of their own, and no time. */
  learn(run: string, record: JournalRecord, isRoot: boolean): void {
    const { fact, at } = record;
    this.#clock ??= startClock(at);
    if (isRoot) this.#clock = advanceClock(this.#clock, record);
    // What came before a fork was paid by the run it was forked from.
    if (isRoot && fact.kind === 'run.forked') this.#costUsd = 0;
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

  /** Milliseconds of work until a moment, as every view of the run has them. */
  elapsed(at: number): number {
    return this.#clock === null ? 0 : runTime(this.#clock, at).workedMs;
  }

  text(now: number): string {
    const all = [...this.#units.values()];
    const done = all.filter(Boolean).length;
    const steps = all.length === 0 ? counted(this.#turns, 'turn') : `${done} of ${all.length} steps`;
    const cost = this.#costUsd === 0 || this.#costUsd === null ? [] : [costText(this.#costUsd)];
    return [steps, clockText(this.elapsed(now)), ...cost].join(' · ');
  }
}

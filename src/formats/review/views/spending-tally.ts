import { Spending } from '../../../protocol/metrics/counters.ts';
import type { SpendingFigures } from './answers/spending.ts';

/** Adds up what turns took. */
export class SpendingTally {
  readonly spending = new Spending();
  readonly #spans: (readonly [from: number, to: number])[] = [];

  took(from: number, to: number): void {
    this.#spans.push([from, Math.max(from, to)]);
  }

  get figures(): SpendingFigures {
    const workMs = this.#spans.reduce((sum, [from, to]) => sum + to - from, 0);
    return { turns: this.#spans.length, ...this.spending.figures, ms: covered(this.#spans), workMs };
  }
}

/** How much time the spans cover together. */
function covered(spans: readonly (readonly [number, number])[]): number {
  let [sum, reached] = [0, -Infinity];
  for (const [from, to] of spans.toSorted(([one], [other]) => one - other)) {
    sum += Math.max(0, to - Math.max(from, reached));
    reached = Math.max(reached, to);
  }
  return sum;
}

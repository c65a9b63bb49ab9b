import type { Clock } from '../world.ts';

/** A longer wait is worth releasing the slot, and a new start of the run afterwards. */
export const LONG_MS = 10_000;

/** The alarms of one run. Due times come from the journal, so a restarted run sleeps only the remaining time. */
export class Timers {
  readonly #clock: Clock;
  readonly #fire: (timer: string) => void;
  readonly #armed = new Map<string, { readonly at: number; readonly undo: () => void }>();

  constructor(clock: Clock, fire: (timer: string) => void) {
    this.#clock = clock;
    this.#fire = fire;
  }

  set(timer: string, at: number): void {
    this.clear(timer);
    const undo = this.#clock.alarm(at, () => {
      this.#armed.delete(timer);
      this.#fire(timer);
    });
    this.#armed.set(timer, { at, undo });
  }

  clear(timer: string): void {
    this.#armed.get(timer)?.undo();
    this.#armed.delete(timer);
  }

  clearAll(): void {
    for (const timer of this.#armed.keys()) this.clear(timer);
  }

  /** The first alarm of any kind; Infinity where none is set. */
  get next(): number {
    return Math.min(...[...this.#armed.values()].map(({ at }) => at));
  }

  /** Whether an alarm will move the run by itself; deadlines and the run's time limit only stop it. */
  get willGoOn(): boolean {
    return this.goesOnBefore(Infinity);
  }

  goesOnBefore(time: number): boolean {
    if (this.#armed.size === 0) return false;
    for (const [timer, { at }] of this.#armed) {
      if (at < time && (timer.endsWith('/retry') || timer.endsWith('/wait'))) return true;
    }
    return false;
  }
}

import { useSyncExternalStore } from 'react';

/** One clock for all ages and running times of the page: a tick a second while anybody looks. */
class Clock {
  #now = Date.now();
  #timer: ReturnType<typeof setInterval> | null = null;
  readonly #listeners = new Set<() => void>();

  readonly now = (): number => this.#now;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    if (this.#timer === null) {
      this.#now = Date.now();
      this.#timer = setInterval(() => this.#tick(), 1000);
    }
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0 || this.#timer === null) return;
      clearInterval(this.#timer);
      this.#timer = null;
    };
  };

  #tick(): void {
    this.#now = Date.now();
    for (const listener of this.#listeners) listener();
  }
}

const clock = new Clock();
const still = (): (() => void) => () => undefined;

/** The time now, updated every second while a component uses it. */
export function useNow(isTicking = true): number {
  return useSyncExternalStore(isTicking ? clock.subscribe : still, clock.now, clock.now);
}

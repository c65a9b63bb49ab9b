import type { Clock } from '../world.ts';

/** Time moves only when the test says so. */
export class ManualClock implements Clock {
  #now: number;
  readonly #alarms = new Set<{ readonly at: number; readonly ring: () => void }>();

  constructor(now = 1_000_000) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  alarm(at: number, ring: () => void): () => void {
    const alarm = { at, ring };
    this.#alarms.add(alarm);
    return () => this.#alarms.delete(alarm);
  }

  get nextAlarm(): number | undefined {
    return [...this.#alarms].map((alarm) => alarm.at).sort((a, b) => a - b)[0];
  }

  /** Moves on and rings what is due, in the order it is due. */
  advance(ms: number): void {
    this.#now += ms;
    const due = [...this.#alarms].filter((alarm) => alarm.at <= this.#now).sort((a, b) => a.at - b.at);
    for (const alarm of due) {
      this.#alarms.delete(alarm);
      alarm.ring();
    }
  }
}

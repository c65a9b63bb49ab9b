import type { ClientLimits } from '../../port.ts';

/**
 * Two alarms over a program: it was silent for too long, and it has been at work for too long (Q5). Both pause during a question to a
 * person.
 */
export class Watchdogs {
  readonly #idle: Alarm;
  readonly #wall: Alarm;
  #holds = 0;

  constructor(limits: ClientLimits, onAlarm: (which: 'idle' | 'wall') => void) {
    this.#idle = new Alarm(limits.idleMs, () => onAlarm('idle'));
    this.#wall = new Alarm(limits.wallMs, () => onAlarm('wall'));
  }

  start(): void {
    this.#idle.resume();
    this.#wall.resume();
  }

  /** It is alive. */
  heard(): void {
    this.#idle.rewind();
  }

  /** Neither counts until the returned function has been called. */
  hold(): () => void {
    this.#holds += 1;
    this.#idle.pause();
    this.#wall.pause();
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#holds -= 1;
      if (this.#holds > 0) return;
      this.#idle.rewind();
      this.start();
    };
  }

  close(): void {
    this.#idle.close();
    this.#wall.close();
  }
}

/** Goes off after so long, not counting the time in which it was paused. */
class Alarm {
  readonly #ms: number;
  readonly #goOff: () => void;
  #left: number;
  #since = 0;
  #timer: NodeJS.Timeout | null = null;
  #isClosed = false;

  constructor(ms: number, goOff: () => void) {
    this.#ms = Math.min(ms, LONGEST_TIMER_MS);
    this.#left = this.#ms;
    this.#goOff = goOff;
  }

  resume(): void {
    if (this.#timer !== null || this.#isClosed) return;
    this.#since = performance.now();
    this.#timer = setTimeout(this.#goOff, this.#left);
  }

  pause(): void {
    if (this.#timer === null) return;
    clearTimeout(this.#timer);
    this.#timer = null;
    this.#left = Math.max(0, this.#left - (performance.now() - this.#since));
  }

  /** As if it had just begun. */
  rewind(): void {
    const isRunning = this.#timer !== null;
    // Called for each line: a timer of full length is only moved.
    if (isRunning && this.#left === this.#ms) {
      this.#timer?.refresh();
      this.#since = performance.now();
      return;
    }
    this.pause();
    this.#left = this.#ms;
    if (isRunning) this.resume();
  }

  close(): void {
    this.pause();
    this.#isClosed = true;
  }
}

/** Longer ones go off at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

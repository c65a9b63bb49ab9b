import type { Journal } from '../../journal/port.ts';

export interface PulseOptions {
  /** Never more often than this. */
  readonly leastMs: number;
  /** Also when nothing was heard for so long: a process that was killed writes nothing to say so. */
  readonly mostMs: number;
  readonly beat: () => Promise<void>;
}

/** Does something soon after the journal has changed, over and over, never twice at once. It beats only while it is wanted. */
export class Pulse {
  readonly #journal: Pick<Journal, 'onChange'>;
  readonly #options: PulseOptions;
  #unsubscribe: (() => void) | null = null;
  #timer: NodeJS.Timeout | null = null;
  #isDueSoon = false;
  #isBeating = false;
  #last = -Infinity;

  constructor(journal: Pick<Journal, 'onChange'>, options: PulseOptions) {
    this.#journal = journal;
    this.#options = options;
  }

  start(): void {
    if (this.#unsubscribe !== null) return;
    this.#unsubscribe = this.#journal.onChange(() => this.hurry());
    this.hurry();
  }

  stop(): void {
    this.#unsubscribe?.();
    this.#unsubscribe = null;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#isDueSoon = false;
  }

  /** There is something to do. */
  hurry(): void {
    if (this.#isDueSoon || this.#unsubscribe === null) return;
    this.#isDueSoon = true;
    if (!this.#isBeating) this.#plan();
  }

  #plan(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    const { leastMs, mostMs } = this.#options;
    const waitMs = this.#isDueSoon ? Math.max(0, this.#last + leastMs - performance.now()) : mostMs;
    this.#timer = setTimeout(() => void this.#beat(), waitMs);
    this.#timer.unref();
  }

  async #beat(): Promise<void> {
    this.#isDueSoon = false;
    this.#isBeating = true;
    try {
      await this.#options.beat();
    } finally {
      this.#isBeating = false;
      this.#last = performance.now();
      if (this.#unsubscribe !== null) this.#plan();
    }
  }
}

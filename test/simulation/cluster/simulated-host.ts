import type { Host } from '../../../src/host/port.ts';
import type { TestDisk } from '../../../src/host/testing/full-disk.ts';

/** One process: it runs, is frozen for a while, or has died. What reaches it while it is frozen waits. */
export class SimulatedHost {
  readonly owner: string;
  /** How far its clock is ahead. */
  readonly skewMs: number;
  host: Host | null = null;
  state: 'running' | 'frozen' | 'dead' = 'running';
  /** When the journal last saw that it lives, by the journal's clock. */
  beatAt: number;
  /** How often it was silent for so long that others may have taken its runs. */
  lapses = 0;
  /** It looks after runs without a process, and need not start that again. */
  isLooking = false;
  readonly disk: TestDisk = { isFull: false, kept: [] };
  /** Nothing that was asked of it comes back. */
  onDeath = (): void => undefined;
  readonly #waiting: (() => void)[] = [];
  readonly #listeners = new Set<() => void>();

  constructor(owner: string, { skewMs, at }: { readonly skewMs: number; readonly at: number }) {
    this.owner = owner;
    this.skewMs = skewMs;
    this.beatAt = at;
  }

  beat(now: number, mostMs: number): void {
    if (now - this.beatAt >= mostMs) this.lapses += 1;
    this.beatAt = now;
  }

  die(): void {
    this.state = 'dead';
    this.onDeath();
  }

  enter(act: () => void): void {
    if (this.state === 'running') act();
    else if (this.state === 'frozen') this.#waiting.push(act);
  }

  /** Resolves when the process can take something in; never once it is dead. */
  entry(): Promise<void> {
    return new Promise((resolve) => this.enter(resolve));
  }

  thaw(): void {
    this.state = 'running';
    for (const act of this.#waiting.splice(0)) this.enter(act);
  }

  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Something may have changed in the journal. */
  wake(): void {
    for (const listener of this.#listeners) listener();
  }
}

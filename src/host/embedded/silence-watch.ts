import type { World } from '../world.ts';

const LOOK_MS = 1000;

/**
 * How long work continues while others cannot see that this process lives: a restart of the database must not disturb it.
 * Others take its runs sooner; the lease's epoch refuses what their old driver still does, and after this time it is stopped
 * too.
 */
const GRACE_MS = 10_000;

export interface FencedWork {
  /** Whether the run is still held, if others may have taken it meanwhile. */
  checkLease(): Promise<void> | undefined;
  /** Ends all work in progress. */
  stopWork(): void;
}

/** Checks the journal while a run has work in progress. Only if a process may be considered dead. */
export class SilenceWatch {
  readonly #world: Pick<World, 'journal' | 'clock'>;
  readonly #work: FencedWork;
  #forget: (() => void) | null = null;
  #silentMs = 0;
  #isChecking = false;

  constructor(world: Pick<World, 'journal' | 'clock'>, work: FencedWork) {
    this.#world = world;
    this.#work = work;
  }

  begin(): void {
    if (this.#world.journal.lapses === undefined || this.#forget !== null) return;
    this.#silentMs = 0;
    this.#plan();
  }

  end(): void {
    this.#forget?.();
    this.#forget = null;
  }

  #plan(): void {
    const { clock } = this.#world;
    this.#forget = clock.alarm(clock.now() + LOOK_MS, () => this.#look());
  }

  /** Reports an error to the driver of the run. */
  async #check(): Promise<void> {
    if (this.#isChecking) return;
    this.#isChecking = true;
    await this.#work.checkLease()?.catch(() => undefined);
    this.#isChecking = false;
  }

  /** Counts its own checks: time in which a process was asleep does not count as waiting. */
  #look(): void {
    this.#plan();
    const isSilent = Number.isNaN(this.#world.journal.lapses?.());
    this.#silentMs = isSilent ? this.#silentMs + LOOK_MS : 0;
    if (!isSilent) void this.#check();
    else if (this.#silentMs >= GRACE_MS) this.#work.stopWork();
  }
}

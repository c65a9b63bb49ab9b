import type { World } from '../world.ts';

const LOOK_MS = 1000;

/**
 * So long work goes on while others cannot see that this process lives: a restart of the database must not disturb it. Others take its
 * runs sooner; what their old driver still does is refused by the lease's epoch, and after this time it is stopped too.
 */
const GRACE_MS = 10_000;

export interface FencedWork {
  /** Others may have taken the run meanwhile: is it still held? */
  checkLease(): Promise<void> | undefined;
  /** What was begun must end now. */
  stopWork(): void;
}

/** Looks at the journal while something of a run is under way. Only where a process may be held for dead. */
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

  /** The process that drives the run hears what is wrong with it. */
  async #check(): Promise<void> {
    if (this.#isChecking) return;
    this.#isChecking = true;
    await this.#work.checkLease()?.catch(() => undefined);
    this.#isChecking = false;
  }

  /** Counts its own looks: the time that a process was asleep is no time in which it waited. */
  #look(): void {
    this.#plan();
    const isSilent = Number.isNaN(this.#world.journal.lapses?.());
    this.#silentMs = isSilent ? this.#silentMs + LOOK_MS : 0;
    if (!isSilent) void this.#check();
    else if (this.#silentMs >= GRACE_MS) this.#work.stopWork();
  }
}

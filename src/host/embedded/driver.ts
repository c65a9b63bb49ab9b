import type { Effect } from '../../core/effect.ts';
import type { Event } from '../../core/event.ts';
import type { Fact, JournalRecord } from '../../core/fact.ts';
import type { RunId } from '../../core/ids.ts';
import type { Definition } from '../../core/role.ts';
import type { Snapshot } from '../../core/snapshot.ts';
import { step, type Step } from '../../core/step.ts';
import type { Lease } from '../../journal/port.ts';
import type { LiveEvent, World } from '../port.ts';
import { batchOf } from './batch.ts';
import { Performer } from './performer.ts';
import { Timers } from './timers.ts';

export interface DriverOptions {
  readonly world: World;
  readonly lease: Lease;
  readonly definition: Definition;
  readonly onLive: (event: LiveEvent) => void;
  /** Starts or resumes a child run, and tells when it has settled. */
  readonly children: Children;
  /** Called whenever the run has come to rest, or may have. */
  readonly onQuiet: () => void;
}

export interface Children {
  start(parent: Driver, effect: Extract<Effect, { kind: 'child.start' }>, signal: AbortSignal): Promise<Event>;
  areQuiet(parent: RunId): boolean;
}

interface Queued {
  readonly event: Event;
  /** The inbox message it came in, if any; consumed in the same transaction as its facts. */
  readonly message: string | null;
  readonly done: (taken: boolean) => void;
}

/**
 * Drives one run: takes one event after the other, has the core decide, makes the facts durable, and only then lets
 * the effects leave ([H1], [H2]). Events that queued up meanwhile share a transaction.
 */
export class Driver {
  readonly run: RunId;
  readonly definition: Definition;
  readonly #options: DriverOptions;
  readonly #timers: Timers;
  readonly #performer: Performer;
  readonly #queue: Queued[] = [];
  #snapshot: Snapshot;
  #isDraining = false;
  #isClosed = false;
  #fault: unknown = null;

  constructor(options: DriverOptions, snapshot: Snapshot) {
    this.run = snapshot.run;
    this.definition = options.definition;
    this.#options = options;
    this.#snapshot = snapshot;
    this.#timers = new Timers(options.world.clock, (timer) => {
      void this.tell({ kind: 'timer.fired', timer });
    });
    this.#performer = new Performer({
      world: options.world,
      driver: this,
      children: options.children,
      onLive: options.onLive,
    });
  }

  get snapshot(): Snapshot {
    return this.#snapshot;
  }

  /** What made it stop driving, such as a full disk or a lost lease. */
  get fault(): unknown {
    return this.#fault;
  }

  get lease(): Lease {
    return this.#options.lease;
  }

  /** Nothing under way here or below: the run is settled, or only a person or another process can move it. */
  get isQuiet(): boolean {
    if (this.#fault !== null || this.#isClosed) return true;
    if (this.#isDraining || this.#queue.length > 0) return false;
    if (this.#snapshot.status === 'settled') return true;
    if (this.#performer.isBusy || this.#timers.willGoOn) return false;
    return this.#options.children.areQuiet(this.run);
  }

  /** Lets the effects of a step leave that the journal holds already: the first one, or the first after a takeover. */
  release(step: Step, how: { readonly isRepeat: boolean; readonly before: number }): void {
    const { records } = batchOf(step.facts, { after: how.before, snapshot: step.snapshot });
    this.#announce(records);
    this.#release(step.effects, how.isRepeat);
    this.#options.onQuiet();
  }

  /** Hands an event to the run. Resolves when it is durable: true when it changed something, false when it was stale. */
  tell(event: Event, message: string | null = null): Promise<boolean> {
    if (this.#isClosed || this.#fault !== null) return Promise.resolve(false);
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.#queue.push({ event, message, done: resolve });
    if (!this.#isDraining) void this.#drain();
    return promise;
  }

  /** Stops driving without ending anything: results that still come are dropped, and asked for again on resume. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#timers.clearAll();
    await this.#performer.stopAll();
  }

  async #drain(): Promise<void> {
    this.#isDraining = true;
    try {
      while (this.#queue.length > 0 && !this.#isClosed) await this.#takeAll(this.#queue.splice(0));
    } catch (error) {
      this.#fail(error);
    } finally {
      this.#isDraining = false;
      this.#options.onQuiet();
    }
  }

  async #takeAll(batch: readonly Queued[]): Promise<void> {
    const facts: Fact[] = [];
    const effects: Effect[] = [];
    const taken: boolean[] = [];
    const consumed: string[] = [];
    const before = this.#snapshot.seq;
    let snapshot = this.#snapshot;
    const at = Math.max(snapshot.at, this.#options.world.clock.now());
    for (const { event, message } of batch) {
      const result = step(this.definition, snapshot, { event, at });
      snapshot = result.snapshot;
      facts.push(...result.facts);
      effects.push(...result.effects);
      taken.push(result.facts.length > 0);
      if (message !== null) consumed.push(message);
    }
    if (facts.length > 0 || consumed.length > 0) await this.#append(facts, snapshot, { after: before, consumed });
    if (this.#isClosed) return;
    this.#release(effects, false);
    for (const [index, queued] of batch.entries()) queued.done(taken[index] ?? false);
  }

  async #append(
    facts: readonly Fact[],
    snapshot: Snapshot,
    how: { readonly after: number; readonly consumed: readonly string[] },
  ): Promise<void> {
    const batch = batchOf(facts, { ...how, snapshot });
    await this.#options.world.journal.append(this.#options.lease, batch);
    this.#snapshot = snapshot;
    this.#announce(batch.records);
  }

  #announce(records: readonly JournalRecord[]): void {
    for (const record of records) this.#options.onLive({ kind: 'record', run: this.run, record });
  }

  #release(effects: readonly Effect[], isRepeat: boolean): void {
    for (const effect of effects) {
      if (effect.kind === 'timer.set') this.#timers.set(effect.timer, effect.at);
      else if (effect.kind === 'timer.clear') this.#timers.clear(effect.timer);
      else this.#performer.perform(effect, isRepeat);
    }
    if (this.#snapshot.status === 'settled') this.#timers.clearAll();
  }

  #fail(error: unknown): void {
    this.#fault = error;
    this.#timers.clearAll();
    for (const queued of this.#queue.splice(0)) queued.done(false);
    void this.#performer.stopAll();
  }
}

import type { Effect } from '../../core/model/effect.ts';
import type { Event } from '../../core/model/event.ts';
import type { Fact, JournalRecord } from '../../core/record/fact.ts';
import { Fault, isFault } from '../../core/model/fault.ts';
import type { UsageNoted } from '../../core/record/files-fact.ts';
import type { RunId, TaskId } from '../../core/model/ids.ts';
import type { FileMarks, QuestionAnswered } from '../../core/record/question-fact.ts';
import type { Definition } from '../../core/model/definition.ts';
import { areSlotsLeft, isWithoutSlot } from '../../core/step/pool/slot.ts';
import type { Snapshot } from '../../core/fold/snapshot.ts';
import { isRunPaused } from '../../core/step/paused.ts';
import { isAtRest } from '../../core/fold/work-clock.ts';
import type { Batch, Lease } from '../../journal/port.ts';
import type { World } from '../world.ts';
import { pauseUntilFixed } from '../perform/failed-event.ts';
import { rootOf } from '../perform/files/places.ts';
import type { RecentRequests } from '../sent/recent-requests.ts';
import { SentLog } from '../sent/sent-log.ts';
import { batchOf, batchSummary } from './batch.ts';
import { decideBatch, type BatchDecision } from './decide-batch.ts';
import { outgoing, type HeardBelow } from './outgoing.ts';
import { needsSlot } from './needs-slot.ts';
import { Performer } from './performer.ts';
import type { Performed, PerformerOptions } from './performer-options.ts';
import { spentIn, workspacesIn } from './spent-in.ts';
import { LONG_MS, Timers } from './timers.ts';
import { unbegunOf } from './unbegun.ts';

export interface DriverOptions extends Omit<PerformerOptions, 'driver'> {
  /** The journal's count before the lease was requested. */
  readonly lapses: number | undefined;
  readonly lease: Lease;
  readonly definition: Definition;
  readonly recent: RecentRequests;
  /** Called whenever the run has come to rest, may have, or continues after a wait. */
  readonly onQuiet: () => void;
}

interface Queued {
  readonly event: Event;
  /** The inbox message it came in, if any; consumed in the same transaction as its facts. */
  readonly message: string | null;
  readonly reply: PromiseWithResolvers<boolean> | null;
  /** The journal is asked even if there is nothing to write. */
  readonly isCheck?: true;
}

const NOTHING_NEW: Event = { kind: 'world.noted', facts: [] };

/**
 * Drives one run: takes one event after the other, lets the core decide, makes the facts durable, and only then lets the
 * effects leave ([H1], [H2]). Events that queued up meanwhile share a transaction.
 */
export class Driver {
  readonly run: RunId;
  readonly definition: Definition;
  /** With the sandbox and the setup that the run began with. */
  readonly world: World;
  readonly lease: Lease;
  readonly sent: SentLog;
  /** The messages it received, by id, until they are durable. */
  readonly heard = new Map<string, Promise<unknown>>();
  readonly #options: DriverOptions;
  readonly timers: Timers;
  readonly #performer: Performer;
  #queue: Queued[] = [];
  #snapshot: Snapshot;
  #draining: Promise<void> | null = null;
  #isClosed = false;
  /** The number of answers and messages whose files are being read. */
  #looking = 0;
  #fault: unknown = null;
  /** After a failure: resolves when its work has ended, or is no longer waited for. */
  stopped: Promise<void> = Promise.resolve();
  /** How often this process may have been considered dead when it last confirmed its lease. */
  #lapses: number | undefined;
  /** The cost of answers that came too late to count. */
  readonly #owed: UsageNoted[] = [];
  keptUntil: number | undefined;
  /** Effects that wait for a slot. */
  #held: { readonly effect: Performed; readonly isRepeat: boolean }[] = [];
  /** Waiters for the end of a child run. */
  readonly #awaited = new Map<TaskId, (heard: HeardBelow) => void>();

  constructor(options: DriverOptions, snapshot: Snapshot) {
    this.run = snapshot.run;
    this.definition = options.definition;
    this.world = options.world;
    this.lease = options.lease;
    this.#options = options;
    const { journal, secrets } = options.world;
    this.sent = new SentLog({ run: this.run, journal, secrets, recent: options.recent });
    this.#snapshot = snapshot;
    this.#lapses = options.lapses;
    this.timers = new Timers(options.world.clock, (timer) => this.post({ kind: 'timer.fired', timer }));
    this.#performer = new Performer({ ...options, driver: this });
  }

  get snapshot(): Snapshot {
    return this.#snapshot;
  }

  /** The reason it stopped driving, such as a full disk or a lost lease. */
  get fault(): unknown {
    return this.#fault;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** No work of the run itself is in progress; child runs may be. */
  get isStill(): boolean {
    if (this.#fault !== null || this.#isClosed) return true;
    if (this.#isAtWork) return false;
    // While it is paused an alarm may ring, but nothing new may start.
    return this.#snapshot.status === 'settled' || isRunPaused(this.#snapshot) || !this.timers.willGoOn;
  }

  /** The run itself does nothing for a while: it is still, or waits for a distant time. */
  get isAsleep(): boolean {
    return this.isStill || (!this.#isAtWork && !this.timers.goesOnBefore(this.#options.world.clock.now() + LONG_MS));
  }

  /** Sub-agents of turns that were stopped are still waited for. */
  get hasChildren(): boolean {
    return this.#performer.hasChildren;
  }

  get #isAtWork(): boolean {
    return this.#draining !== null || this.#looking > 0 || this.#performer.isBusy;
  }

  /** It has effects that wait for a slot. */
  get wantsSlot(): boolean {
    return this.#held.length > 0;
  }

  /** Resolves when the child run reports its end. The caller posts it, with what it led to. */
  settledBelow(child: TaskId): Promise<HeardBelow> {
    const { promise, resolve } = Promise.withResolvers<HeardBelow>();
    this.#awaited.set(child, resolve);
    return promise;
  }

  /** Asks the journal only if others may have taken the run since it last wrote; undefined if not. LEASE_LOST. */
  checkLease(): Promise<void> | undefined {
    if (this.#lapses === this.#options.world.journal.lapses?.()) return undefined;
    const reply = Promise.withResolvers<boolean>();
    this.#enqueue({ event: NOTHING_NEW, message: null, reply, isCheck: true });
    return reply.promise.then(() => undefined);
  }

  async #append(batch: Batch): Promise<void> {
    const { journal } = this.#options.world;
    const lapses = journal.lapses?.();
    await journal.append(this.lease, batch);
    this.#lapses = lapses;
  }

  /** Publishes records that the journal already holds and lets their effects leave: the first step, or the first after a takeover. */
  release(records: readonly JournalRecord[], effects: readonly { effect: Effect; isRepeat: boolean }[]): void {
    this.#announce(records);
    for (const { effect, isRepeat } of effects) this.#letLeave(effect, isRepeat);
    this.settleDown();
  }

  /** Work has ended without an event; the run may be at rest now. */
  settleDown(): void {
    this.#leaveSlotIfIdle();
    this.#options.onQuiet();
  }

  /** It waits for a person or a distant time, so another unit can use its slot. */
  #leaveSlotIfIdle(): void {
    const { slot, status } = this.#snapshot;
    if (slot !== 'given' || status === 'settled' || this.#isAtWork || !this.isAsleep) return;
    if (areSlotsLeft(this.#snapshot)) this.post({ kind: 'slot.move', to: 'left' });
  }

  /** Queues events without waiting; those of one call share a transaction. */
  post(...events: readonly Event[]): void {
    for (const event of events) this.#enqueue({ event, message: null, reply: null });
  }

  postHeard = (heard: HeardBelow): void => this.#enqueue({ ...heard, reply: null });

  /** Queues an event. Resolves when it is durable: true if it changed something, false if it was stale. */
  async tell(event: Event, message: string | null = null): Promise<boolean> {
    const awaited = event.kind === 'child.settled' ? this.#awaited.get(event.child) : undefined;
    if (awaited !== undefined && event.kind === 'child.settled') {
      this.#awaited.delete(event.child);
      awaited({ event, message });
      return true;
    }
    if (event.kind !== 'question.answered') return await this.#tellNow(event, message);
    const files = await this.#filesNow(event);
    return await this.#tellNow(files === undefined ? event : { ...event, files }, message);
  }

  /** It is not at rest until the returned function was called. */
  looks(): () => void {
    this.#looking += 1;
    return () => {
      this.#looking -= 1;
      queueMicrotask(() => this.settleDown());
    };
  }

  /** An approval is compared with the current files, which are read before it waits in line. */
  async #filesNow(answer: QuestionAnswered): Promise<FileMarks | undefined> {
    const over = this.looks();
    try {
      return await this.#performer.filesNow(answer);
    } finally {
      over();
    }
  }

  #tellNow(event: Event, message: string | null): Promise<boolean> {
    const reply = Promise.withResolvers<boolean>();
    this.#enqueue({ event, message, reply });
    return reply.promise;
  }

  #enqueue(queued: Queued): void {
    if (this.#isClosed || this.#fault !== null) return this.#turnAway(queued, this.#fault ?? closed(this.run));
    this.#queue.push(queued);
    this.#draining ??= this.#drain();
  }

  /** Resolves when what is being written is durable or refused. */
  drained = (): Promise<void> => this.#draining ?? Promise.resolve();

  #turnAway({ event, reply }: Queued, why: unknown): void {
    this.#owed.push(...spentIn(event));
    // Its facts about files are already known here, but will be in no journal.
    this.#options.places.drop(rootOf(this.run), workspacesIn(event));
    reply?.reject(why);
  }

  /**
   * Stops driving without ending anything: later results are dropped, and requested again on resume. Their cost is recorded
   * before the run is let go, and until when it sleeps, if known.
   */
  async close(wakesAt: number | null = null): Promise<void> {
    this.#isClosed = true;
    this.timers.clearAll();
    await this.#draining;
    for (const queued of this.#queue.splice(0)) this.#turnAway(queued, closed(this.run));
    await this.#performer.stopAll();
    await this.#writeRest(wakesAt).catch((error: unknown) => this.fail(error));
  }

  async #writeRest(wakesAt: number | null): Promise<void> {
    const facts = this.#owed.splice(0);
    if (this.#fault !== null) return;
    if (facts.length > 0) await this.#takeAll([{ event: { kind: 'world.noted', facts }, message: null, reply: null }]);
    if (wakesAt !== null) await this.#append({ records: [], summary: { ...batchSummary(this.#snapshot), wakesAt } });
  }

  /** Stops driving because of an error that a person must act on. The run stays as the journal has it. */
  fail(error: unknown): void {
    if (this.#fault !== null) return;
    this.#fault = error;
    this.timers.clearAll();
    for (const queued of this.#queue.splice(0)) this.#turnAway(queued, error);
    this.stopped = this.#performer.stopAll();
    this.#options.onQuiet();
  }

  async #drain(): Promise<void> {
    const wasAsleep = this.isAsleep;
    // Events of the same moment share a transaction.
    await this.world.clock.pause?.();
    const wasAtRest = isAtRest(this.#snapshot.clock);
    while (this.#queue.length > 0 && !this.#isClosed && this.#fault === null) {
      const batch = this.#queue;
      this.#queue = [];
      try {
        await this.#takeAll(batch);
      } catch (error) {
        for (const queued of batch) this.#turnAway(queued, error);
        this.fail(error);
      }
    }
    this.#draining = null;
    this.#leaveSlotIfIdle();
    if (wasAsleep || this.isAsleep || isAtRest(this.#snapshot.clock) !== wasAtRest) this.#options.onQuiet();
  }

  async #takeAll(batch: readonly Queued[]): Promise<void> {
    const consumed = messagesIn(batch);
    const decided = this.#decideBatch(batch.map(({ event }) => event));
    if (decided.facts.length > 0 || consumed.length > 0 || batch.some(({ isCheck }) => isCheck === true)) {
      try {
        await this.#write(decided, consumed);
      } catch (error) {
        await this.#writeLast(decided, consumed, error);
      }
    }
    batch.forEach(({ reply }, index) => reply?.resolve(decided.changed[index] ?? false));
  }

  #decideBatch(events: readonly Event[]): BatchDecision {
    const { definition } = this;
    const { secrets, clock } = this.#options.world;
    const at = Math.max(this.#snapshot.at, clock.now());
    return decideBatch({ secrets, definition, snapshot: this.#snapshot, at }, events);
  }

  async #write(
    { facts, effects, snapshot }: BatchDecision,
    consumed: readonly string[],
    isLast = false,
  ): Promise<void> {
    const before = this.#snapshot;
    const sends = outgoing({ before, after: snapshot, facts, effects });
    const batch = batchOf(facts, { after: before.seq, snapshot, consumed, sends });
    await this.#append(isLast ? { ...batch, isLast } : batch);
    this.#snapshot = snapshot;
    this.#announce(batch.records);
    this.#options.children.deliver(sends);
    if (!this.#isClosed && this.#fault === null) this.#letAllLeave(effects, facts);
  }

  /** The disk of the journal is full: the facts are written with a pause, in space reserved for that, and nothing new starts. */
  async #writeLast({ events, effects }: BatchDecision, consumed: readonly string[], error: unknown): Promise<void> {
    if (!isFault(error) || error.code !== 'JOURNAL_FULL') throw error;
    const pause = pauseUntilFixed(rootOf(this.run), error, this.world.worker);
    const unbegun = effects.flatMap((effect) => unbegunOf(effect) ?? []);
    const decided = this.#decideBatch([...events, unbegun.length === 0 ? pause : { ...pause, unbegun }]);
    const halted = isRunPaused(decided.snapshot) ? this.#performer.halt(decided.effects) : [];
    const left = decided.effects.filter((effect) => !halted.includes(effect));
    await this.#write({ ...decided, effects: left }, consumed, true);
  }

  #announce(records: readonly JournalRecord[]): void {
    this.sent.take(records);
    for (const record of records) this.#options.onLive({ kind: 'record', run: this.run, record });
  }

  #letAllLeave(effects: readonly Effect[], facts: readonly Fact[]): void {
    if (!isWithoutSlot(this.#snapshot))
      for (const { effect, isRepeat } of this.#held.splice(0)) this.#performer.perform(effect, isRepeat);
    for (const effect of effects) this.#letLeave(effect, false);
    const halted = facts.some(({ kind }) => kind === 'run.continued') ? this.#performer.goOn() : [];
    for (const { effect, isRepeat } of halted) this.#letLeave(effect, isRepeat);
  }

  #letLeave(effect: Effect, isRepeat: boolean): void {
    if (effect.kind === 'timer.set') this.timers.set(effect.timer, effect.at);
    else if (effect.kind === 'timer.clear') this.timers.clear(effect.timer);
    else if (isWithoutSlot(this.#snapshot) && needsSlot(effect)) this.#hold({ effect, isRepeat });
    else {
      if (effect.kind === 'task.stop') this.#drop(effect.task);
      this.#performer.perform(effect, isRepeat);
    }
  }

  #hold(held: { readonly effect: Performed; readonly isRepeat: boolean }): void {
    this.#held.push(held);
    this.post({ kind: 'slot.move', to: 'wanted' });
  }

  #drop(task: TaskId): void {
    this.#held = this.#held.filter(({ effect }) => !('task' in effect) || effect.task !== task);
  }
}

function messagesIn(batch: readonly Queued[]): readonly string[] {
  const messages: string[] = [];
  for (const { message } of batch) if (message !== null) messages.push(message);
  return messages;
}

function closed(run: RunId): Fault {
  return new Fault('HOST_CLOSED', `This process no longer drives run ${run}.`, {
    hint: 'Resume the run, then say it again.',
  });
}

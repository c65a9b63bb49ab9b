import type { Isolate } from '../../actors/script/port.ts';
import type { JournalRecord } from '../../core/record/fact.ts';
import type { ChildSettled, Event } from '../../core/model/event.ts';
import { isFault, type Fault } from '../../core/model/fault.ts';
import { foldRecords } from '../../core/fold/fold.ts';
import { foldOnce } from '../fold-once.ts';
import { childRunId, type RunId } from '../../core/model/ids.ts';
import type { Definition } from '../../core/model/definition.ts';
import type { Snapshot } from '../../core/fold/snapshot.ts';
import { childWorkspace } from '../../core/model/workspace-name.ts';
import { queueing, start } from '../../core/step/start.ts';
import type { Step } from '../../core/step/step.ts';
import type { Batch, InboxMessage, Outgoing } from '../../journal/port.ts';
import type { RunActivity, LiveEvent, ResumeOptions, StartOptions } from '../port.ts';
import type { World, BelowOrder } from '../world.ts';
import { Places, rootOf } from '../perform/files/places.ts';
import { batchOf } from './batch.ts';
import { surroundings, type BeginningContext, beginningTitle } from './beginning.ts';
import { RecentRequests } from '../sent/recent-requests.ts';
import { hostClosed, startBelow, startChild, type ChildBeginning, type ChildStart } from './child-run.ts';
import { DefinitionStore } from './definition-store.ts';
import { DrivenRuns } from './driven-runs.ts';
import { Driver, type DriverOptions } from './driver.ts';
import { Inbox } from './inbox.ts';
import { LettingGo } from './letting-go.ts';
import { outgoing, type HeardBelow } from './outgoing.ts';
import type { Children } from './performer-options.ts';
import { activityHere, isQuiet, wakesAt } from './quiet.ts';
import { redacted } from './redacted-step.ts';
import { refuseDone, resumption } from './resumption.ts';
import { SharedTexts } from './shared-texts.ts';
import { isUntouched, lastWorker, unbegunIn } from './unbegun.ts';
import { worldFor, worldOf } from './worlds.ts';

/** The runs driven by this process: started, taken over, and released when they have settled. Children are runs like any other. */
export class RunTable implements Children {
  readonly drivers = new DrivenRuns();
  /** Why runs are no longer driven here, until they are taken over again. */
  readonly faults = new Map<RunId, unknown>();
  readonly definitions: DefinitionStore;
  readonly places: Places;
  readonly world: World;
  readonly #onLive: (event: LiveEvent) => void;
  readonly #waiters = new Map<RunId, (() => void)[]>();
  readonly #takeOvers = new Map<RunId, Promise<Driver>>();
  readonly #lettingGo: LettingGo;
  readonly #inbox: Inbox;
  readonly #sharedTexts: SharedTexts;
  readonly #recent = new RecentRequests();
  #isolate: Promise<Isolate> | null = null;
  #isClosed = false;

  constructor(world: World, onLive: (event: LiveEvent) => void) {
    this.world = world;
    this.#onLive = onLive;
    this.definitions = new DefinitionStore(world.journal);
    this.places = new Places(world);
    this.#inbox = new Inbox(world, this.drivers, (event, driver) => this.#learnFrom(event, driver));
    const { drivers, places } = this;
    const takeOvers = this.#takeOvers;
    const sharedTexts = new SharedTexts(world.journal, this.definitions, drivers);
    this.#sharedTexts = sharedTexts;
    this.#lettingGo = new LettingGo({ journal: world.journal, drivers, places, sharedTexts, takeOvers });
  }

  async begin(options: StartOptions, child: ChildBeginning | null = null): Promise<RunId> {
    const { journal, clock, owner, engine, newRunId } = this.world;
    const { definition, input, project, terms, limits = {} } = this.#redacted(options);
    const run = options.run ?? newRunId();
    const { parent, place, around: given } = child ?? rootBeginning(options);
    const definitionHash = await this.definitions.store(definition);
    const around = given ?? (await surroundings(await this.#worldAt(options), definition, options));
    const origin = await sendAway(options, run, around);
    await clock.pause?.();
    const at = clock.now();
    this.#refuseClosed();
    const ways = { ...options, ...place };
    const about = { run, parent, engine, definitionHash, input, limits, project, at };
    const first = start(definition, { ...about, ...around, ...place, ...queueing(ways), terms, origin });
    const title = this.#redacted(options).title ?? beginningTitle(input);
    const header = {
      run,
      parent,
      workflow: definition.workflow.name,
      project,
      title,
      at,
      ...queueing(ways),
    };
    const sends = outgoing({ before: null, after: first.snapshot, ...first });
    const batch = batchOf(first.facts, { after: 0, snapshot: first.snapshot, sends });
    const lapses = journal.lapses?.();
    const lease = await journal.create(header, owner, batch);
    this.deliver(sends);
    if (place.isOffered === true) await journal.release(lease);
    else await this.#drive({ lease, lapses }, definition, { ...first, batch });
    return run;
  }

  async #drive(taken: TakenLease, definition: Definition, first: Step & { readonly batch: Batch }): Promise<void> {
    const driver = await this.#driver(taken, definition, first.snapshot).catch(async (error: unknown) => {
      // A run that cannot be driven here is free for others.
      await this.world.journal.release(taken.lease);
      throw error;
    });
    const effects = first.effects.map((effect) => ({ effect, isRepeat: false }));
    this.#release(driver, first.batch, effects);
  }

  /** Publishes what the journal holds now, and lets its effects leave. All at once, so that the run never counts as quiet before. */
  #release(driver: Driver, { records }: Batch, effects: Parameters<Driver['release']>[1]): void {
    this.drivers.set(driver.run, driver);
    this.faults.delete(driver.run);
    driver.release(records, effects);
    this.#inbox.check();
  }

  #worldAt({ terms = {} }: StartOptions): Promise<World> {
    return worldFor(this.world, terms);
  }

  /** The run continues with exactly what its journal holds. */
  #redacted(options: StartOptions): StartOptions {
    const { definition, input, title, terms } = options;
    return { ...options, ...redacted(this.world.secrets, { definition, input, title, terms }) } as StartOptions;
  }

  /** Concurrent callers get the same promise. */
  takeOver(run: RunId, options: ResumeOptions = {}): Promise<Driver> {
    const underWay = this.#takeOvers.get(run);
    if (underWay !== undefined) return underWay;
    const taken = this.#takeOver(run, options).finally(() => {
      this.#takeOvers.delete(run);
      this.#lettingGo.takenOver(run);
    });
    this.#takeOvers.set(run, taken);
    return taken;
  }

  async #takeOver(run: RunId, options: ResumeOptions): Promise<Driver> {
    const { journal, owner } = this.world;
    await this.#lettingGo.stopped(run);
    const info = await journal.run(run);
    this.#refuseClosed();
    if (info?.status === 'settled') refuseDone(this.world, foldRecords(await journal.read(run)));
    const lapses = journal.lapses?.();
    const lease = await journal.lease(run, owner, options.from);
    try {
      // Only now: the former driver may have written until the lease was taken.
      const records = await journal.read(run);
      await this.#takeOverFiles(run, records);
      const snapshot = foldOnce(records);
      refuseDone(this.world, snapshot);
      const definition = await this.definitions.load(snapshot);
      const level = options.sandbox ?? snapshot.sandbox;
      const world = (await this.#worldBelow(snapshot)) ?? (await worldFor(this.world, snapshot.terms, level));
      const left = { unbegun: unbegunIn(records), isUntouched: isUntouched(records) };
      const again = await resumption(world, lease, { info, definition, snapshot, options, ...left });
      await journal.append(lease, again.batch);
      this.deliver(again.batch.sends ?? []);
      const driver = await this.#driver({ lease, lapses }, definition, again.snapshot);
      driver.keptUntil = again.keptUntil;
      this.#release(driver, again.batch, again.effects);
      if (again.hasApproval) await this.#inbox.hear(driver);
      return driver;
    } catch (error) {
      await journal.release(lease).catch(() => undefined);
      throw error;
    }
  }

  /** The files of the whole tree if its root is taken over; its own if it is taken over alone. */
  async #takeOverFiles(run: RunId, records: readonly JournalRecord[]): Promise<void> {
    const root = rootOf(run);
    if (run !== root && this.drivers.has(root) && !this.drivers.isAsked(run)) return;
    await (isUntouched(records) ? this.places.learn(root) : this.places.takeOver(run, lastWorker(records)));
  }

  /** That of the run above it or, if that is driven elsewhere, what its root has; null for a root run. */
  async #worldBelow({ run, parent }: Snapshot): Promise<World | null> {
    if (parent === null) return null;
    const above = this.drivers.get(parent);
    if (above !== undefined) return above.world;
    const root = foldRecords(await this.world.journal.read(rootOf(run)));
    return await worldOf(this.world, root);
  }

  #refuseClosed(): void {
    if (this.#isClosed) throw hostClosed();
  }

  async #driver(taken: TakenLease, definition: Definition, snapshot: Snapshot): Promise<Driver> {
    const world = (await this.#worldBelow(snapshot)) ?? (await worldOf(this.world, snapshot));
    if (this.#isClosed) {
      await this.world.journal.release(taken.lease);
      this.#refuseClosed();
    }
    const driver = new Driver(
      {
        ...taken,
        world,
        definition,
        recent: this.#recent,
        children: this,
        places: this.places,
        isolate: () => (this.#isolate ??= this.world.isolate()),
        onLive: this.#onLive,
        onQuiet: () => this.#onQuiet(driver),
      },
      snapshot,
    );
    return driver;
  }

  /** A run above may be waiting for this one to come to rest. */
  #onQuiet(driver: Driver): void {
    // A driver that is closing still records its cost; it is released after that.
    const isOver = driver.snapshot.status === 'settled' && this.isQuiet(driver) && !driver.isClosed;
    if (driver.fault !== null) this.#failAbove(driver);
    if (isOver || driver.fault !== null) this.#letGo(driver);
    for (let id: string = driver.run; ; id = id.slice(0, id.lastIndexOf('/'))) {
      this.#wake(id as RunId);
      if (!id.includes('/')) return;
    }
  }

  /**
   * Fails the run above, which would wait forever for a run that no process drives. One with its own files is taken
   * over by another process.
   */
  #failAbove({ fault, snapshot }: Driver): void {
    const hasOwnFiles = snapshot.apart !== null || snapshot.workspace === childWorkspace(snapshot.run);
    const mayTravel = this.world.placement !== undefined && hasOwnFiles;
    const isElsewhere = mayTravel && isFault(fault) && LET_GO.has(fault.code);
    if (!isElsewhere) this.drivers.above(snapshot)?.fail(fault);
  }

  #letGo(driver: Driver): void {
    if (this.drivers.get(driver.run) !== driver) return;
    if (driver.fault !== null) this.faults.set(driver.run, driver.fault);
    this.#lettingGo.letGo(driver);
  }

  #wake(run: RunId): void {
    const waiters = this.#waiters.get(run);
    if (waiters === undefined) return;
    this.#waiters.delete(run);
    for (const wake of waiters) wake();
  }

  /** Resolves the next time the run, or one below it, may have come to rest. */
  nextQuiet(run: RunId): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const waiters = this.#waiters.get(run);
    if (waiters === undefined) this.#waiters.set(run, [resolve]);
    else waiters.push(resolve);
    return promise;
  }

  isQuiet(driver: Driver): boolean {
    return isQuiet(this.drivers, driver, this.world.placement !== undefined);
  }

  async nextActivity(run: RunId, before: RunActivity): Promise<RunActivity | null> {
    for (;;) {
      const now = activityHere(this.drivers, run);
      if (now !== before) return now;
      await this.nextQuiet(run);
    }
  }

  sharedText(run: RunId): string | Promise<string> {
    return this.#sharedTexts.of(run);
  }

  /** A child run that was driven elsewhere has changed files that this process knows only from the journal. */
  #learnFrom(event: Event, { run }: Driver): Promise<void> | null {
    const isNews = event.kind === 'child.settled' && !this.drivers.has(childRunId(run, event.child));
    return isNews ? this.places.learn(rootOf(run)) : null;
  }

  deliver(sent: readonly Outgoing[]): void {
    this.#inbox.deliver(sent);
  }

  /** To a run that is not driven here. One that is being taken over here may have read its inbox before. */
  async send(run: RunId, message: InboxMessage): Promise<void> {
    await this.world.journal.send(run, message);
    const driver = await this.#takeOvers.get(run)?.catch(() => undefined);
    if (driver !== undefined) await this.#inbox.hear(driver);
  }

  readonly hear = (driver: Driver): Promise<void> => this.#inbox.hear(driver);

  start(parent: Driver, effect: ChildStart, signal: AbortSignal): Promise<ChildSettled | null> {
    return startChild(this, parent, { order: effect, signal });
  }

  startBelow(parent: Driver, order: BelowOrder, signal: AbortSignal): Promise<HeardBelow> {
    return startBelow(this, parent, { order, signal });
  }

  /** Releases a run, with those driven together with it. Other runs of the tree stay. */
  async leave(run: RunId): Promise<void> {
    const until = wakesAt(this.drivers, run);
    // A run below may be taken over while its parent is being closed.
    for (let left = this.drivers.together(run); left.length > 0; left = this.drivers.together(run))
      await Promise.all(left.map((one) => this.#leave(one, until)));
    this.faults.delete(run);
    this.drivers.delete(run);
    this.#wake(run);
    await this.#lettingGo.over();
  }

  async #leave(driver: Driver, until: number | null): Promise<void> {
    const closed = driver.close(until);
    this.#onQuiet(driver);
    await closed;
    this.#letGo(driver);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#inbox.close();
    await Promise.allSettled(this.#takeOvers.values());
    const drivers = [...this.drivers.values()];
    await Promise.all(
      drivers.map(async (driver) => {
        const closed = driver.close();
        this.#onQuiet(driver);
        await closed;
        if (driver.snapshot.status === 'settled') this.#letGo(driver);
      }),
    );
    await Promise.allSettled(drivers.map((driver) => this.world.journal.release(driver.lease)));
    await this.#lettingGo.over();
    await this.#isolate?.then((isolate) => isolate.close());
    this.drivers.clear();
    for (const run of this.#waiters.keys()) this.#wake(run);
  }
}

/** The process that has the lease, or takes it next, drives the run. */
const LET_GO = new Set<Fault['code']>(['LEASE_LOST', 'LEASE_UNSURE']);

type TakenLease = Pick<DriverOptions, 'lease' | 'lapses'>;

/** Other processes need these before the run exists. */
const sendAway = async (options: StartOptions, run: RunId, { files }: BeginningContext) =>
  files === undefined ? undefined : await options.sendAway?.(run, files);

const rootBeginning = ({ sendAway }: StartOptions) =>
  ({ parent: null, place: { isOffered: sendAway === undefined ? undefined : true }, around: null }) as const;

import type { Isolate } from '../../actors/script/port.ts';
import type { Effect } from '../../core/effect.ts';
import type { ChildSettled, RunPause } from '../../core/event.ts';
import { owedDelivery } from '../../core/delivery.ts';
import { Fault } from '../../core/fault.ts';
import { foldRecords } from '../../core/fold.ts';
import { childRunId, type RunId } from '../../core/ids.ts';
import type { Definition } from '../../core/role.ts';
import { slotBelow } from '../../core/slot.ts';
import type { Snapshot } from '../../core/snapshot.ts';
import { start } from '../../core/start.ts';
import type { Batch, InboxMessage, Lease, Outgoing } from '../../journal/port.ts';
import type { LiveEvent, ResumeOptions, StartOptions, World } from '../port.ts';
import { childWorkspace } from '../../core/workspace-name.ts';
import { Places, rootOf } from '../perform/places.ts';
import { batchOf } from './batch.ts';
import { NOTHING, surroundings, beginningTitle, type BeginningContext } from './beginning.ts';
import { RecentRequests } from '../sent/recent-requests.ts';
import { childDefinition, childLimits } from './child-run.ts';
import { DefinitionStore } from './definition-store.ts';
import { Driver, type HeardBelow } from './driver.ts';
import { Inbox } from './inbox.ts';
import { childSettled, outgoing, STOPPED } from './outgoing.ts';
import type { BelowOrder } from '../perform/performance.ts';
import type { Children } from './performer.ts';
import { isQuiet } from './quiet.ts';
import { redacted } from './redacted-step.ts';
import { resumption } from './resumption.ts';
import { SharedTexts } from './shared-texts.ts';
import { unbegunIn } from './unbegun.ts';
import { worldFor, worldOf } from './worlds.ts';

/** The runs driven by this process: begun, taken over, and let go when they have settled. Children are runs like any other. */
export class RunTable implements Children {
  readonly drivers = new Map<RunId, Driver>();
  /** Why runs are no longer driven here that were, until they are taken over again. */
  readonly faults = new Map<RunId, unknown>();
  readonly definitions: DefinitionStore;
  readonly places: Places;
  readonly #world: World;
  readonly #onLive: (event: LiveEvent) => void;
  readonly #waiters = new Map<RunId, (() => void)[]>();
  readonly #takeOvers = new Map<RunId, Promise<Driver>>();
  readonly #releases = new Set<Promise<void>>();
  readonly #inbox: Inbox;
  readonly #sharedTexts: SharedTexts;
  readonly #recent = new RecentRequests();
  #isolate: Promise<Isolate> | null = null;
  #isClosed = false;

  constructor(world: World, onLive: (event: LiveEvent) => void) {
    this.#world = world;
    this.#onLive = onLive;
    this.definitions = new DefinitionStore(world.journal);
    this.places = new Places(world);
    this.#inbox = new Inbox(world.journal, this.drivers);
    this.#sharedTexts = new SharedTexts(world.journal, this.definitions, this.drivers);
  }

  async begin(options: StartOptions, child: ChildBeginning | null = null): Promise<Driver> {
    const { journal, clock, owner, engine, newRunId } = this.#world;
    const { definition, input, project, terms, limits = {} } = this.#redacted(options);
    const run = options.run ?? newRunId();
    const parent = child?.parent ?? null;
    const definitionHash = await this.definitions.store(definition);
    const around = child?.around ?? (await surroundings(await this.#worldAt(options), definition, options));
    const at = clock.now();
    this.#refuseClosed();
    const about = { run, parent, engine, definitionHash, input, limits, project, at };
    const first = start(definition, { ...about, ...around, ...child?.place, terms });
    const title = this.#redacted(options).title ?? beginningTitle(input);
    const header = { run, parent, workflow: definition.workflow.name, project, title, at };
    const sends = outgoing({ before: null, after: first.snapshot, ...first });
    const batch = batchOf(first.facts, { after: 0, snapshot: first.snapshot, sends });
    const lease = await journal.create(header, owner, batch);
    const driver = await this.#adopt(lease, definition, first.snapshot);
    const effects = first.effects.map((effect) => ({ effect, isRepeat: false }));
    this.#release(driver, batch, effects);
    return driver;
  }

  /** What the journal holds now is told, and its effects leave. */
  #release(driver: Driver, { records, sends = [] }: Batch, effects: Parameters<Driver['release']>[1]): void {
    this.deliver(sends);
    driver.release(records, effects);
  }

  #worldAt({ terms = {} }: StartOptions): Promise<World> {
    return worldFor(this.#world, terms);
  }

  /** The run goes on with exactly what its journal holds. */
  #redacted(options: StartOptions): StartOptions {
    const { definition, input, title, terms } = options;
    return { ...options, ...redacted(this.#world.secrets, { definition, input, title, terms }) } as StartOptions;
  }

  /** Two who ask at once get the same. */
  takeOver(run: RunId, options: ResumeOptions = {}): Promise<Driver> {
    const underWay = this.#takeOvers.get(run);
    if (underWay !== undefined) return underWay;
    const taken = this.#takeOver(run, options).finally(() => this.#takeOvers.delete(run));
    this.#takeOvers.set(run, taken);
    return taken;
  }

  async #takeOver(run: RunId, options: ResumeOptions): Promise<Driver> {
    const { journal, owner } = this.#world;
    const info = await journal.run(run);
    this.#refuseClosed();
    if (info?.status === 'settled') refuseDone(foldRecords(await journal.read(run)));
    const lease = await journal.lease(run, owner, options.from);
    try {
      if (info?.parent === null) await this.places.takeOver(run);
      // Only now: whoever drove it before may have written until the lease was taken.
      const records = await journal.read(run);
      const snapshot = foldRecords(records);
      refuseDone(snapshot);
      const definition = await this.definitions.load(snapshot);
      const level = options.sandbox ?? snapshot.sandbox;
      const world = this.#worldBelow(snapshot) ?? (await worldFor(this.#world, snapshot.terms, level));
      const again = await resumption(world, lease, { definition, snapshot, options, unbegun: unbegunIn(records) });
      await journal.append(lease, again.batch);
      const driver = await this.#adopt(lease, definition, again.snapshot);
      this.#release(driver, again.batch, again.effects);
      if (again.hasApproval) await this.#inbox.hear(driver);
      return driver;
    } catch (error) {
      await journal.release(lease).catch(() => undefined);
      throw error;
    }
  }

  /** That of the run above it; null for a root run. */
  #worldBelow({ parent }: Snapshot): World | null {
    return parent === null ? null : (this.drivers.get(parent)?.world ?? null);
  }

  #refuseClosed(): void {
    if (this.#isClosed) throw hostClosed();
  }

  async #adopt(lease: Lease, definition: Definition, snapshot: Snapshot): Promise<Driver> {
    const world = this.#worldBelow(snapshot) ?? (await worldOf(this.#world, snapshot));
    if (this.#isClosed) {
      await this.#world.journal.release(lease);
      this.#refuseClosed();
    }
    const driver = new Driver(
      {
        world,
        lease,
        definition,
        recent: this.#recent,
        children: this,
        places: this.places,
        isolate: () => (this.#isolate ??= this.#world.isolate()),
        onLive: this.#onLive,
        onQuiet: () => this.#onQuiet(driver),
      },
      snapshot,
    );
    this.drivers.set(driver.run, driver);
    this.faults.delete(driver.run);
    this.#inbox.check();
    return driver;
  }

  /** Somebody up the tree may be waiting for this one to come to rest. */
  #onQuiet(driver: Driver): void {
    // One that is being closed still writes down what it cost; it is let go when it has.
    const isOver = driver.snapshot.status === 'settled' && this.isQuiet(driver) && !driver.isClosed;
    if (isOver || driver.fault !== null) this.#letGo(driver);
    // It would wait for ever for a run that nobody drives.
    if (driver.fault !== null) this.#above(driver.snapshot)?.fail(driver.fault);
    for (let id: string = driver.run; ; id = id.slice(0, id.lastIndexOf('/'))) {
      this.#wake(id as RunId);
      if (!id.includes('/')) return;
    }
  }

  #letGo(driver: Driver): void {
    if (this.drivers.get(driver.run) !== driver) return;
    this.drivers.delete(driver.run);
    if (driver.fault !== null) this.faults.set(driver.run, driver.fault);
    if (driver.snapshot.parent === null) this.#leaveFiles(driver);
    // A lease that cannot be released is taken from us when this process ends.
    const release = this.#world.journal.release(driver.lease).catch(() => undefined);
    this.#releases.add(release);
    void release.then(() => this.#releases.delete(release));
  }

  /** Its workspaces are nobody's now: what was leased to them is free. */
  #leaveFiles({ run: root, world }: Driver): void {
    this.places.forget(root);
    const release = world.workspaces.release(root).catch(() => undefined);
    this.#releases.add(release);
    void release.then(() => this.#releases.delete(release));
  }

  #wake(run: RunId): void {
    const waiters = this.#waiters.get(run);
    if (waiters === undefined) return;
    this.#waiters.delete(run);
    for (const wake of waiters) wake();
  }

  /** Resolves at the next moment the run, or one below it, may have come to rest. */
  nextQuiet(run: RunId): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const waiters = this.#waiters.get(run);
    if (waiters === undefined) this.#waiters.set(run, [resolve]);
    else waiters.push(resolve);
    return promise;
  }

  isQuiet(driver: Driver): boolean {
    return isQuiet(this.drivers, driver);
  }

  #above({ parent }: Snapshot): Driver | undefined {
    return parent === null ? undefined : this.drivers.get(parent);
  }

  sharedText(run: RunId): Promise<string> {
    return this.#sharedTexts.of(run);
  }

  deliver(sent: readonly Outgoing[]): void {
    this.#inbox.deliver(sent);
  }

  /** To a run that is driven elsewhere, or by nobody. One that is being taken over here may have looked into its inbox before. */
  async send(run: RunId, message: InboxMessage): Promise<void> {
    await this.#world.journal.send(run, message);
    const driver = await this.#takeOvers.get(run)?.catch(() => undefined);
    if (driver !== undefined) await this.#inbox.hear(driver);
  }

  holdAround(run: RunId, pause: RunPause): void {
    const root = rootOf(run);
    for (const driver of this.drivers.values()) {
      if (driver.run !== run && rootOf(driver.run) === root) driver.post(pause);
    }
  }

  start(
    parent: Driver,
    effect: Extract<Effect, { kind: 'child.start' }>,
    signal: AbortSignal,
  ): Promise<ChildSettled | null> {
    const workspace = (run: RunId) => (effect.workspace === 'own' ? childWorkspace(run) : parent.snapshot.workspace);
    const definition = () => childDefinition(parent.definition, effect.workflow);
    return this.#place(parent, { ...effect, definition, workspace }, signal);
  }

  async startBelow(parent: Driver, order: BelowOrder, signal: AbortSignal): Promise<HeardBelow> {
    // Asked first: it may be over before it is seen to be driven.
    const settled = parent.settledBelow(order.task);
    const shutdown = Promise.withResolvers<never>();
    shutdown.promise.catch(() => undefined);
    const stop = (): void => {
      if (signal.reason !== 'stopped') shutdown.reject(hostClosed());
    };
    signal.addEventListener('abort', stop, { once: true });
    try {
      const found = await this.#place(parent, order, signal);
      return found === null ? await Promise.race([settled, shutdown.promise]) : { event: found, message: null };
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  /** Sees to it that a child is there and driven. After a crash it may be half done, or even settled: then this is how it ended. */
  async #place(parent: Driver, order: BelowOrder, signal: AbortSignal): Promise<ChildSettled | null> {
    const run = childRunId(parent.run, order.task);
    const info = await this.#world.journal.run(run);
    if (info?.status === 'settled') return childSettled(foldRecords(await this.#world.journal.read(run)));
    const driver =
      this.drivers.get(run) ?? (await (info === undefined ? this.#beginBelow(parent, order) : this.takeOver(run)));
    // The word of it may have come before there was anybody to hear it.
    if (signal.reason === 'stopped') driver.post({ kind: 'run.cancel', by: parent.run, reason: STOPPED });
    return null;
  }

  #beginBelow(parent: Driver, order: BelowOrder): Promise<Driver> {
    const run = childRunId(parent.run, order.task);
    const definition = order.definition();
    const limits = childLimits(parent.snapshot, definition.workflow.limits, this.#world.clock.now());
    const { project, tools, unusable } = parent.snapshot;
    const options = { definition, input: order.input, run, limits, project };
    const around = { ...NOTHING, tools: tools ?? undefined, unusable: unusable.length === 0 ? undefined : unusable };
    const slot = slotBelow(parent.snapshot, order.task) ?? undefined;
    const place = { workspace: order.workspace(run), slot };
    return this.begin(options, { parent: parent.run, place, around });
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
    await Promise.allSettled(drivers.map((driver) => this.#world.journal.release(driver.lease)));
    await Promise.allSettled(this.#releases);
    await this.#isolate?.then((isolate) => isolate.close());
    this.drivers.clear();
    for (const run of this.#waiters.keys()) this.#wake(run);
  }
}

interface ChildBeginning {
  readonly parent: RunId;
  readonly place: { readonly workspace: string; readonly slot: 'given' | 'left' | undefined };
  readonly around: BeginningContext;
}

const hostClosed = (): Fault => new Fault('HOST_CLOSED', 'This host was shut down.', { hint: 'Make a new one.' });

/** Of a run that is over only its delivery can still be owed. */
function refuseDone(snapshot: Snapshot): void {
  const { run, status, result } = snapshot;
  if (status !== 'settled' || owedDelivery(snapshot) !== null) return;
  throw new Fault('RUN_SETTLED', `Run ${run} is already settled: ${result?.outcome}.`, {
    hint: 'There is nothing to resume. Start it anew with `troupe run`.',
  });
}

import type { Effect } from '../../core/effect.ts';
import { Fault } from '../../core/fault.ts';
import { foldRecords } from '../../core/fold.ts';
import { bodyHash, childRunId, type BodyHash, type RunId } from '../../core/ids.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import { recover } from '../../core/recover.ts';
import type { Definition } from '../../core/role.ts';
import type { Snapshot } from '../../core/snapshot.ts';
import { start } from '../../core/start.ts';
import type { TaskDone } from '../../core/event.ts';
import type { Lease } from '../../journal/port.ts';
import type { LiveEvent, StartOptions, World } from '../port.ts';
import { childDefinition, childDone, childLimits } from './child-run.ts';
import { batchOf } from './batch.ts';
import { Driver, type Children, type DriverOptions } from './driver.ts';
import { Inbox } from './inbox.ts';
import { STOPPED } from './performer.ts';

/** The runs driven by this process: begun, taken over, and let go when they have settled. Children are runs like any other. */
export class RunTable implements Children {
  readonly drivers = new Map<RunId, Driver>();
  readonly #world: World;
  readonly #onLive: (event: LiveEvent) => void;
  readonly #hashes = new WeakMap<Definition, Promise<BodyHash>>();
  readonly #waiters = new Map<RunId, (() => void)[]>();
  readonly #releases = new Set<Promise<void>>();
  readonly #inbox: Inbox;

  constructor(world: World, onLive: (event: LiveEvent) => void) {
    this.#world = world;
    this.#onLive = onLive;
    this.#inbox = new Inbox(world.journal, this.drivers);
  }

  async begin(options: StartOptions, parent: RunId | null = null): Promise<Driver> {
    const { journal, clock, owner, engine, newRunId } = this.#world;
    const { definition, input, project } = options;
    const run = options.run ?? newRunId();
    const at = clock.now();
    const definitionHash = await this.#store(definition);
    const title = options.title ?? titleOf(input);
    const limits = options.limits ?? {};
    const first = start(definition, { run, parent, engine, definitionHash, input, limits, project, at });
    const header = { run, parent, workflow: definition.workflow.name, project, title, at };
    const lease = await journal.create(header, owner, batchOf(first.facts, { after: 0, snapshot: first.snapshot }));
    const driver = this.#adopt(lease, definition, first.snapshot);
    driver.release(first, { isRepeat: false, before: 0 });
    return driver;
  }

  async takeOver(run: RunId): Promise<Driver> {
    const { journal, clock, owner } = this.#world;
    const found = foldRecords(await journal.read(run));
    if (found.status === 'settled') throw settledAlready(found);
    const lease = await journal.lease(run, owner);
    // Read again: whoever drove it before may have written until the lease was taken.
    const snapshot = foldRecords(await journal.read(run));
    const definition = await this.load(snapshot);
    const again = recover(definition, snapshot, { epoch: lease.epoch, at: Math.max(snapshot.at, clock.now()) });
    const before = snapshot.seq;
    await journal.append(lease, batchOf(again.facts, { after: before, snapshot: again.snapshot }));
    const driver = this.#adopt(lease, definition, again.snapshot);
    driver.release(again, { isRepeat: true, before });
    return driver;
  }

  #adopt(lease: Lease, definition: Definition, snapshot: Snapshot): Driver {
    const options: DriverOptions = {
      world: this.#world,
      lease,
      definition,
      children: this,
      onLive: this.#onLive,
      onQuiet: () => this.#onQuiet(snapshot.run),
    };
    const driver = new Driver(options, snapshot);
    this.drivers.set(driver.run, driver);
    this.#inbox.check();
    return driver;
  }

  /** Somebody up the tree may be waiting for this one to come to rest. */
  #onQuiet(run: RunId): void {
    const driver = this.drivers.get(run);
    if (driver !== undefined && driver.snapshot.status === 'settled' && driver.isQuiet) this.#letGo(driver);
    for (let id: string = run; ; id = id.slice(0, id.lastIndexOf('/'))) {
      this.#wake(id as RunId);
      if (!id.includes('/')) return;
    }
  }

  #letGo(driver: Driver): void {
    this.drivers.delete(driver.run);
    const release = this.#world.journal.release(driver.lease).catch(() => undefined);
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

  areQuiet(parent: RunId): boolean {
    const tasks = Object.values(this.drivers.get(parent)?.snapshot.tasks ?? {});
    return tasks.every((task) => {
      if (task.work.kind !== 'call') return true;
      const child = this.drivers.get(childRunId(parent, task.id));
      return child !== undefined && child.isQuiet && child.snapshot.status !== 'settled';
    });
  }

  async start(
    parent: Driver,
    effect: Extract<Effect, { kind: 'child.start' }>,
    signal: AbortSignal,
  ): Promise<TaskDone> {
    const child = await this.#child(parent, effect);
    if (!(child instanceof Driver)) return childDone(effect.task, child);
    const stop = (): void => {
      this.#wake(child.run);
      if (signal.reason === STOPPED)
        void child.tell({ kind: 'run.cancel', by: parent.run, reason: 'its parent stopped it' });
    };
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    while (child.snapshot.status !== 'settled' && child.fault === null && !signal.aborted)
      await this.nextQuiet(child.run);
    if (child.fault !== null) throw child.fault;
    return childDone(effect.task, child.snapshot);
  }

  /** After a crash the child may be there already: half done, or even settled. */
  async #child(parent: Driver, effect: Extract<Effect, { kind: 'child.start' }>): Promise<Driver | Snapshot> {
    const run = childRunId(parent.run, effect.task);
    if ((await this.#world.journal.run(run)) !== undefined) {
      const snapshot = foldRecords(await this.#world.journal.read(run));
      return snapshot.status === 'settled' ? snapshot : this.takeOver(run);
    }
    const definition = childDefinition(parent.definition, effect.workflow);
    const limits = childLimits(parent.snapshot, this.#world.clock.now());
    return this.begin({ definition, input: effect.input, run, limits, project: parent.snapshot.project }, parent.run);
  }

  async load(snapshot: Snapshot): Promise<Definition> {
    const stored = (await this.#world.journal.getBody(bodyHash(snapshot.definition))) as unknown as Definition;
    const workflow = snapshot.workflow === stored.workflow.name ? stored.workflow : stored.library[snapshot.workflow];
    return workflow === undefined || workflow === stored.workflow ? stored : childDefinition(stored, snapshot.workflow);
  }

  #store(definition: Definition): Promise<BodyHash> {
    const known = this.#hashes.get(definition);
    if (known !== undefined) return known;
    const stored = this.#world.journal.putBody(definition as unknown as Json);
    this.#hashes.set(definition, stored);
    return stored;
  }

  async close(): Promise<void> {
    this.#inbox.close();
    const drivers = [...this.drivers.values()];
    await Promise.all(drivers.map((driver) => driver.close()));
    await Promise.allSettled(drivers.map((driver) => this.#world.journal.release(driver.lease)));
    await Promise.allSettled(this.#releases);
    this.drivers.clear();
    for (const run of this.#waiters.keys()) this.#wake(run);
  }
}

function settledAlready(snapshot: Snapshot): Fault {
  return new Fault('RUN_SETTLED', `Run ${snapshot.run} has already come out ${snapshot.result?.outcome}.`, {
    hint: 'There is nothing to resume. Start it anew with `troupe run`.',
  });
}

/** One line for lists: the first text of the input. */
function titleOf(input: JsonObject): string {
  const text = Object.values(input).find((value) => typeof value === 'string');
  return typeof text === 'string' ? (text.split('\n', 1)[0] ?? '').slice(0, 120) : '';
}

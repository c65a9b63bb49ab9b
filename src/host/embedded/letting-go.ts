import { isRunWithin, type RunId } from '../../core/model/ids.ts';
import { workspaceOf } from '../../core/model/workspace-name.ts';
import type { Journal } from '../../journal/port.ts';
import { rootOf, type Places } from '../perform/files/places.ts';
import type { World } from '../world.ts';
import type { DrivenRuns } from './driven-runs.ts';
import type { Driver } from './driver.ts';
import type { SharedTexts } from './shared-texts.ts';

interface Held {
  readonly journal: Journal;
  readonly drivers: DrivenRuns;
  readonly places: Places;
  readonly sharedTexts: SharedTexts;
  /** The runs that are being taken over: their files are in use. */
  readonly takeOvers: ReadonlyMap<RunId, unknown>;
}

/** Releases what a run had that is no longer driven here: its lease, and its files if no other run of the tree uses them. */
export class LettingGo {
  readonly #held: Held;
  readonly #releases = new Set<Promise<void>>();
  /** Runs that failed, while some of their work may still be in progress. */
  readonly #stopping = new Map<RunId, Promise<void>>();
  /** Trees whose files are only used by a run that is being taken over. */
  readonly #unused = new Map<RunId, World>();

  constructor(held: Held) {
    this.#held = held;
  }

  letGo(driver: Driver): void {
    const { drivers, journal } = this.#held;
    const isAsked = drivers.isAsked(driver.run);
    drivers.delete(driver.run);
    if (driver.fault === null) this.#leave(driver, isAsked);
    else this.#leaveStopped(driver, isAsked);
    // A lease that cannot be released is lost when this process ends.
    this.#add(journal.release(driver.lease));
  }

  /** Its client may write until it has stopped. */
  #leaveStopped(driver: Driver, isAsked: boolean): void {
    const { run } = driver;
    const left = driver.stopped.then(() => {
      if (this.#stopping.get(run) === left) this.#stopping.delete(run);
      this.#leave(driver, isAsked);
    });
    this.#stopping.set(run, left);
    this.#add(left);
  }

  /** Resolves when all work that the run started here before it failed has ended. */
  async stopped(run: RunId): Promise<void> {
    await this.#stopping.get(run);
  }

  #leave(driver: Driver, isAsked: boolean): void {
    const root = rootOf(driver.run);
    if (this.#held.drivers.hasTree(root)) {
      if (isAsked) this.#leaveOwnFiles(driver);
    } else if (this.#isTakenOver(root)) this.#unused.set(root, driver.world);
    else this.#leaveFiles(root, driver.world);
  }

  /** The run was taken over, or the takeover failed. */
  takenOver(run: RunId): void {
    const root = rootOf(run);
    const world = this.#unused.get(root);
    if (world === undefined || this.#isTakenOver(root)) return;
    this.#unused.delete(root);
    if (!this.#held.drivers.hasTree(root)) this.#leaveFiles(root, world);
  }

  #isTakenOver(root: RunId): boolean {
    const { takeOvers } = this.#held;
    return takeOvers.size > 0 && [...takeOvers.keys()].some((one) => rootOf(one) === root);
  }

  /** Resolves when everything is given back. */
  async over(): Promise<void> {
    await Promise.all(this.#releases);
  }

  /** Its workspaces are unused now: their leased resources are free. */
  #leaveFiles(root: RunId, world: World): void {
    this.#held.places.forget(root);
    this.#held.sharedTexts.forget(root);
    this.#add(world.workspaces.release(root));
  }

  /** Other runs of its tree stay, and use the workspaces of the tree. */
  #leaveOwnFiles({ run, world, snapshot, definition }: Driver): void {
    const { places, drivers } = this.#held;
    const agent = definition.workflow.agents.find(({ name }) => name === snapshot.apart?.work.agent);
    const free = places.leave(run, agent === undefined ? null : workspaceOf(snapshot, agent));
    const root = rootOf(run);
    if (run === root || [...drivers.ofTree(root)].some((one) => isRunWithin(one, run))) return;
    for (const name of free) this.#add(world.workspaces.release(root, name));
  }

  #add(releasing: Promise<void>): void {
    const release = releasing.catch(() => undefined);
    this.#releases.add(release);
    void release.then(() => this.#releases.delete(release));
  }
}

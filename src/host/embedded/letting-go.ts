import { isRunWithin, type RunId } from '../../core/ids.ts';
import type { Journal } from '../../journal/port.ts';
import { rootOf, type Places } from '../perform/places.ts';
import type { World } from '../port.ts';
import type { DrivenRuns } from './driven-runs.ts';
import type { Driver } from './driver.ts';
import type { SharedTexts } from './shared-texts.ts';

interface Held {
  readonly journal: Journal;
  readonly drivers: DrivenRuns;
  readonly places: Places;
  readonly sharedTexts: SharedTexts;
}

/** Gives back what a run had that is no longer driven here: its lease, and its files when no other run of the tree uses them. */
export class LettingGo {
  readonly #held: Held;
  readonly #releases = new Set<Promise<void>>();

  constructor(held: Held) {
    this.#held = held;
  }

  letGo(driver: Driver): void {
    const { drivers, journal } = this.#held;
    const isAsked = drivers.isAsked(driver.run);
    drivers.delete(driver.run);
    const root = rootOf(driver.run);
    if (![...drivers.keys()].some((run) => rootOf(run) === root)) this.#leaveFiles(root, driver.world);
    else if (isAsked) this.#leaveOwnFiles(driver);
    // A lease that cannot be released is taken from us when this process ends.
    this.#add(journal.release(driver.lease));
  }

  /** Resolves when everything is given back. */
  async over(): Promise<void> {
    await Promise.all(this.#releases);
  }

  /** Its workspaces are nobody's now: what was leased to them is free. */
  #leaveFiles(root: RunId, world: World): void {
    this.#held.places.forget(root);
    this.#held.sharedTexts.forget(root);
    this.#add(world.workspaces.release(root));
  }

  /** Other runs of its tree stay, and use the workspaces of the tree. */
  #leaveOwnFiles({ run, world }: Driver): void {
    const { places, drivers } = this.#held;
    const free = places.leave(run);
    const root = rootOf(run);
    if (run === root || [...drivers.keys()].some((one) => isRunWithin(one, run))) return;
    for (const name of free) this.#add(world.workspaces.release(root, name));
  }

  #add(releasing: Promise<void>): void {
    const release = releasing.catch(() => undefined);
    this.#releases.add(release);
    void release.then(() => this.#releases.delete(release));
  }
}

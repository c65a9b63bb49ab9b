import { applyFact } from '../../core/apply.ts';
import type { ProjectChanged, ResultHanded } from '../../core/files-fact.ts';
import { foldRecords } from '../../core/fold.ts';
import type { RunId } from '../../core/ids.ts';
import type { Lease } from '../../journal/port.ts';
import type { World } from '../port.ts';
import { batchOf } from './batch.ts';

/** What becomes of a run's result is written down by whoever brings it to the user; nobody drives the run meanwhile. */
export class HandOvers {
  readonly #world: World;
  readonly #held = new Map<RunId, Lease>();

  constructor(world: World) {
    this.#world = world;
  }

  /** Others see that the run is still in somebody's hand until the work is over. */
  async during<T>(run: RunId, work: () => Promise<T>): Promise<T> {
    return await this.#leased(run, async (lease) => {
      this.#held.set(run, lease);
      return await work().finally(() => this.#held.delete(run));
    });
  }

  async note(run: RunId, fact: ProjectChanged | ResultHanded): Promise<void> {
    const held = this.#held.get(run);
    if (held === undefined) await this.#leased(run, (lease) => this.#append(lease, fact));
    else await this.#append(held, fact);
  }

  async #leased<T>(run: RunId, work: (lease: Lease) => Promise<T>): Promise<T> {
    const { journal, owner } = this.#world;
    const lease = await journal.lease(run, owner);
    try {
      return await work(lease);
    } finally {
      await journal.release(lease);
    }
  }

  async #append(lease: Lease, fact: ProjectChanged | ResultHanded): Promise<void> {
    const { journal, clock } = this.#world;
    const now = foldRecords(await journal.read(lease.run));
    const snapshot = applyFact(now, fact, Math.max(now.at, clock.now()));
    await journal.append(lease, batchOf([fact], { after: now.seq, snapshot }));
  }
}

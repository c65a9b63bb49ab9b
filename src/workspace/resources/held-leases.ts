import { InTurn } from '../in-turn.ts';
import { MAIN_WORKSPACE } from '../../core/workspace-name.ts';
import type { Holder, ResourceLease, Resources } from './port.ts';

/**
 * What is leased to the workspaces that this process works in: one lease a workspace, however often it is opened, until it is
 * released. Who opens while a release is under way waits for it, and so gets the same again.
 */
export class HeldLeases {
  readonly #resources: Resources;
  readonly #turns = new InTurn();
  /** Those who have a lease or are about to get one. */
  readonly #holders = new Map<string, Holder>();
  readonly #leases = new Map<string, ResourceLease>();

  constructor(resources: Resources) {
    this.#resources = resources;
  }

  lease({ root, workspace }: Holder): Promise<ResourceLease> {
    const holder = { root, workspace: leaseHolder(workspace) };
    const key = keyOf(holder);
    this.#holders.set(key, holder);
    return this.#turns.run(key, async () => {
      const lease = this.#leases.get(key) ?? (await this.#resources.lease(holder));
      this.#leases.set(key, lease);
      return lease;
    });
  }

  /** Those of a root run, of one workspace, or all. */
  async release(which: Partial<Holder> = {}): Promise<void> {
    const { root, workspace } = which;
    const wanted = [...this.#holders].filter(
      ([, holder]) => holder.root === (root ?? holder.root) && holder.workspace === (workspace ?? holder.workspace),
    );
    await Promise.all(wanted.map(([key]) => this.#releaseOne(key)));
  }

  #releaseOne(key: string): Promise<void> {
    this.#holders.delete(key);
    return this.#turns.run(key, async () => {
      const lease = this.#leases.get(key);
      this.#leases.delete(key);
      await lease?.release();
    });
  }
}

const keyOf = ({ root, workspace }: Holder): string => `${root} ${workspace}`;

/**
 * Workspaces that the engine makes for a moment stand in for the main one, whose tests need the same database: with one of
 * their own a run would need twice of everything.
 */
function leaseHolder(workspace: string): string {
  return /^(?:throwaway|merge\.check\.[0-9a-f]+|(?:.*\.)?scratch)$/.test(workspace) ? MAIN_WORKSPACE : workspace;
}

import { isFault } from '../../../src/core/model/fault.ts';
import { rootRunId, type RunId } from '../../../src/core/model/ids.ts';
import type { EngineProgram } from '../../../src/host/world.ts';
import type { Journal, Lease } from '../../../src/journal/port.ts';
import type { SimulatedHost } from './simulated-host.ts';
import type { Wire } from './wire.ts';

interface Holder {
  readonly id: string;
  readonly owner: string;
}

interface ReservationsOptions {
  readonly truth: Journal;
  readonly leases: Map<RunId, Lease>;
  readonly isAlive: (owner: string) => boolean;
  readonly takesLeases: boolean;
}

/** The names that processes keep each other out of, as the database keeps them. */
export class Reservations {
  readonly #options: ReservationsOptions;
  readonly #holders = new Map<string, Holder>();
  #count = 0;

  constructor(options: ReservationsOptions) {
    this.#options = options;
  }

  /** Waits for the name. A call whose answer was lost is repeated, so that no name is held for a caller that does not know. */
  async reserve(name: string, { owner, root, call, signal }: Wanted): Promise<() => Promise<void>> {
    const holder = { id: `reservation ${(this.#count += 1)}`, owner };
    const giveBack = async (): Promise<void> => {
      const act = (): Promise<boolean> => Promise.resolve(this.#giveBack(name, holder));
      while (!(await call(act).catch(ifLost)));
    };
    while (!signal.aborted) if (await call(() => this.#take(root, name, holder)).catch(ifLost)) return giveBack;
    await giveBack();
    throw signal.reason;
  }

  #giveBack(name: string, { id }: Holder): true {
    if (this.#holders.get(name)?.id === id) this.#holders.delete(name);
    return true;
  }

  /** All at once, as in one transaction: the calls of the journal in memory act before they are awaited. */
  async #take(root: RunId, name: string, wanted: Holder): Promise<boolean> {
    const { isAlive, takesLeases } = this.#options;
    const holder = this.#holders.get(name);
    if (holder !== undefined && holder.id !== wanted.id) {
      if (isAlive(holder.owner)) return false;
      this.#holders.set(name, wanted);
      if (takesLeases) await this.#takeLeases(root, holder.owner);
    }
    this.#holders.set(name, wanted);
    return true;
  }

  async #takeLeases(root: RunId, dead: string): Promise<void> {
    const { truth, leases } = this.#options;
    const held = [...leases.values()].filter(({ run, owner }) => owner === dead && rootRunId(run) === root);
    const taken = held.map(({ run }) => truth.lease(run, NO_PROCESS).then((lease) => truth.release(lease)));
    await Promise.allSettled(taken);
  }
}

const NO_PROCESS = 'nobody';

interface Wanted {
  readonly owner: string;
  readonly root: RunId;
  readonly call: <T>(act: () => Promise<T>) => Promise<T>;
  readonly signal: AbortSignal;
}

function ifLost(error: unknown): false {
  if (isFault(error) && error.code === 'JOURNAL_IO') return false;
  throw error;
}

/** Reads the newest number of the tree, takes its time, and gives the next one: no number may come twice. */
export function counting(host: SimulatedHost, wire: Wire): EngineProgram {
  return async (context) => {
    const { world, run } = context;
    await context.reserve('main');
    const records = await world.journal.tree(rootRunId(run));
    const newest = Math.max(0, ...records.flatMap(({ fact }) => numberIn(fact)));
    await wire.travel();
    await host.entry();
    return { output: newest + 1 };
  };
}

/** The number that a record of the tree holds. */
export const numberIn = (fact: { readonly kind: string; readonly output?: unknown }): readonly number[] =>
  fact.kind === 'task.ended' && typeof fact.output === 'number' ? [fact.output] : [];

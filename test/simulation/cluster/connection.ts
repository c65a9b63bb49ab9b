import { Fault } from '../../../src/core/model/fault.ts';
import type { RunId } from '../../../src/core/model/ids.ts';
import type { Batch, InboxMessage, Journal, Lease, NewRecord } from '../../../src/journal/port.ts';
import type { Reservations } from './reservations.ts';
import type { SimulatedHost } from './simulated-host.ts';
import type { Wire } from './wire.ts';

/** Mistakes in the protocol that a simulation must find. */
export const PLANTED_FAULTS = [
  'no fencing',
  'an answer before the commit',
  'leases by wall clock',
  'messages outside the transaction',
  'messages consumed when read',
  'a repeated batch that counts twice',
  'a cursor on messages',
  'no look at the lease after a freeze',
  'no poll behind lost wake-ups',
  'half a batch',
  'a takeover without a new epoch',
  'a reservation without taking leases',
] as const;

export type PlantedFault = (typeof PLANTED_FAULTS)[number];

export interface Network {
  readonly wire: Wire;
  readonly random: () => number;
  readonly truth: Journal;
  readonly fault: PlantedFault | null;
  /** The newest lease of each run. */
  readonly leases: Map<RunId, Lease>;
  readonly reservations: Reservations;
  isAway: boolean;
  /** Lost answers end with the other troubles, so that every run can come to its end. */
  isCalm: boolean;
}

const lost = (): Fault => new Fault('JOURNAL_IO', 'The connection was lost.');

/** The journal as one process reaches it: calls take their time, come back in any order, and their answers may be lost. */
export class Connection {
  readonly #network: Network;
  readonly #host: SimulatedHost;
  readonly #cursors = new Map<RunId, number>();

  constructor(network: Network, host: SimulatedHost) {
    this.#network = network;
    this.#host = host;
  }

  open(lapses: () => number): Journal {
    const { truth, random, wire } = this.#network;
    const call = <T>(act: () => Promise<T>): Promise<T> => this.#call(act);
    return {
      create: (run, owner, first) =>
        call(async () => {
          const lease = await truth.create(run, owner, first);
          this.#network.leases.set(run.run, lease);
          return lease;
        }),
      append: (lease, batch) => this.#append(lease, batch),
      read: (run, after, limit) => call(() => truth.read(run, after, limit)),
      tree: (root, after, limit) => call(() => truth.tree(root, after, limit)),
      run: (run) => call(() => truth.run(run)),
      runs: (filter) => call(() => truth.runs(filter)),
      putBody: (body) => truth.putBody(body),
      getBody: (hash) => truth.getBody(hash),
      lease: (run, owner, from) => call(() => this.#lease(run, owner, from)),
      release: (lease) => call(() => truth.release(lease)),
      send: (run, message) => call(() => truth.send(run, message)),
      inbox: (run) => call(() => this.#inbox(run)),
      addressed: () => call(() => truth.addressed()),
      onChange: (listener) => {
        const hear = (): void => {
          if (random() < 0.4) return;
          void wire.travel().then(() => this.#host.enter(() => listener(null)));
        };
        const forget = [truth.onChange(hear), this.#host.listen(() => listener(null))];
        return () => forget.forEach((one) => one());
      },
      lapses,
      reserve: (root, name, signal) =>
        this.#network.reservations.reserve(name, { owner: this.#host.owner, root, call, signal }),
      close: async () => undefined,
    };
  }

  async #call<T>(act: () => Promise<T>): Promise<T> {
    const { wire, random } = this.#network;
    await wire.travel();
    if (this.#network.isAway) return await this.#answer(() => Promise.reject(lost()));
    const outcome = await act().then(
      (value) => () => Promise.resolve(value),
      (error: unknown) => () => Promise.reject(error),
    );
    const isLost = !this.#network.isCalm && random() < 0.05;
    return await this.#answer(isLost ? () => Promise.reject(lost()) : outcome);
  }

  async #answer<T>(outcome: () => Promise<T>): Promise<T> {
    await this.#network.wire.travel();
    await this.#host.entry();
    return await outcome();
  }

  async #append(lease: Lease, batch: Batch): Promise<void> {
    const { fault, wire } = this.#network;
    if (fault !== 'an answer before the commit') return await this.#call(() => this.#commit(lease, batch));
    void wire.travel().then(async () => {
      if (this.#host.state !== 'dead') await this.#commit(lease, batch).catch(() => undefined);
    });
    return await this.#answer(() => Promise.resolve());
  }

  async #commit(given: Lease, batch: Batch): Promise<void> {
    const { fault, truth, wire, leases } = this.#network;
    if (fault === 'no fencing' || fault === 'a repeated batch that counts twice') {
      const lease = fault === 'no fencing' ? (leases.get(given.run) ?? given) : given;
      return await truth.append(lease, await this.#renumbered(lease, batch));
    }
    if (fault === 'half a batch' && this.#host.state === 'dead')
      return await truth.append(given, { ...batch, records: batch.records.slice(0, -1), sends: [] });
    if (fault !== 'messages outside the transaction') return await truth.append(given, batch);
    await truth.append(given, { ...batch, sends: [] });
    for (const { run, message } of batch.sends ?? []) {
      void wire.travel().then(async () => {
        if (this.#host.state === 'running') await truth.send(run, message).catch(() => undefined);
      });
    }
  }

  async #renumbered({ run }: Lease, batch: Batch): Promise<Batch> {
    const seq = (await this.#network.truth.run(run))?.seq ?? 0;
    return {
      ...batch,
      records: batch.records.map((record, index): NewRecord => ({ ...record, seq: seq + index + 1 })),
    };
  }

  async #lease(run: RunId, owner: string, from?: Lease): Promise<Lease> {
    const { truth, fault, leases } = this.#network;
    const before = leases.get(run);
    const lease = await truth.lease(run, owner, from);
    leases.set(run, lease);
    // The journal itself fences by epoch: the loser of a takeover goes on with the lease of the winner.
    if (fault === 'a takeover without a new epoch' && before !== undefined) Object.assign(before, lease);
    return lease;
  }

  async #inbox(run: RunId): Promise<readonly InboxMessage[]> {
    const { truth, fault, leases } = this.#network;
    const messages = await truth.inbox(run);
    if (fault === 'a cursor on messages') return this.#afterCursor(run, messages);
    const lease = leases.get(run);
    if (fault !== 'messages consumed when read' || messages.length === 0 || lease === undefined) return messages;
    const info = await truth.run(run);
    const summary = { status: info?.status ?? 'running', outcome: info?.outcome ?? null } as const;
    await truth.append(lease, { records: [], summary, consumed: messages.map(({ id }) => id) }).catch(() => undefined);
    return messages;
  }

  /** As if messages were numbered when they are written, and read by number: those that commit later come with a lower one. */
  #afterCursor(run: RunId, messages: readonly InboxMessage[]): readonly InboxMessage[] {
    const numberOf = ({ id }: InboxMessage): number =>
      Buffer.from(id).reduce((sum, byte) => (sum * 31 + byte) % 997, 7);
    const cursor = this.#cursors.get(run) ?? 0;
    const found = messages.filter((message) => numberOf(message) > cursor);
    this.#cursors.set(run, Math.max(cursor, ...found.map(numberOf)));
    return found;
  }
}

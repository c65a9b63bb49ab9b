import type { JournalRecord } from '../../core/fact.ts';
import type { BodyHash, RunId } from '../../core/ids.ts';
import type { Json } from '../../core/json.ts';
import { ChangeListeners } from '../change-listeners.ts';
import { contentHash } from '../content-hash.ts';
import type { Batch, InboxMessage, Journal, Lease, NewRun, RunFilter, RunInfo, RunSummary } from '../port.ts';
import { bodyMissing, refuseGap, refuseLostLease, runBusy, runExists, runUnknown } from '../refusal.ts';

export interface MemoryJournalOptions {
  /** Whether the process of this owner still lives. Each owner counts as a process of its own; without this, all live. */
  readonly isAlive?: (owner: string) => boolean;
}

/**
 * The journal of one process, gone with it. It keeps the objects it was given, neither copied nor hashed, so that
 * measuring the engine on it measures the engine.
 */
export function createMemoryJournal(options: MemoryJournalOptions = {}): Journal {
  return new MemoryJournal(options.isAlive ?? (() => true));
}

interface MemoryRun {
  readonly header: NewRun;
  readonly records: JournalRecord[];
  summary: RunSummary;
  updatedAt: number;
  epoch: number;
  owner: string | null;
  /** By id; null once it was consumed, so that the same id is not taken again. */
  readonly inbox: Map<string, InboxMessage | null>;
}

const UNTOUCHED: RunSummary = { status: 'running', outcome: null };

class MemoryJournal implements Journal {
  readonly #runs = new Map<RunId, MemoryRun>();
  readonly #children = new Map<RunId, MemoryRun[]>();
  readonly #forks = new Map<RunId, MemoryRun[]>();
  /** Kept apart so that asking costs nothing while nobody writes. */
  readonly #addressed = new Set<RunId>();
  readonly #bodies = new Map<BodyHash, Json>();
  readonly #listeners = new ChangeListeners();
  readonly #isAlive: (owner: string) => boolean;

  constructor(isAlive: (owner: string) => boolean) {
    this.#isAlive = isAlive;
  }

  async create(header: NewRun, owner: string, first?: Batch): Promise<Lease> {
    if (this.#runs.has(header.run)) throw runExists(header.run);
    if (first !== undefined) refuseGap(header.run, 0, first.records);
    const inbox = new Map<string, InboxMessage | null>();
    const fresh = { header, records: [], summary: UNTOUCHED, updatedAt: header.at, epoch: 1, owner, inbox };
    this.#runs.set(header.run, fresh);
    listUnder(this.#children, header.parent, fresh);
    listUnder(this.#forks, header.forkedFrom ?? null, fresh);
    const lease = { run: header.run, epoch: 1, owner };
    if (first === undefined) this.#listeners.announce();
    else await this.append(lease, first);
    return lease;
  }

  async append(lease: Lease, batch: Batch): Promise<void> {
    const run = this.#known(lease.run);
    refuseLostLease(lease, run.epoch, run.owner !== null);
    refuseGap(lease.run, run.records.length, batch.records);
    for (const record of batch.records) run.records.push(record);
    run.summary = batch.summary;
    run.updatedAt = batch.records.at(-1)?.at ?? run.updatedAt;
    if (batch.consumed !== undefined) this.#consume(run, batch.consumed);
    this.#listeners.announce();
  }

  async read(run: RunId, after = 0, limit = Infinity): Promise<readonly JournalRecord[]> {
    const first = Math.max(0, after);
    return this.#known(run).records.slice(first, first + Math.max(0, Math.floor(limit)));
  }

  async run(run: RunId): Promise<RunInfo | undefined> {
    const found = this.#runs.get(run);
    return found && this.#info(found);
  }

  async runs(filter: RunFilter = {}): Promise<readonly RunInfo[]> {
    const found = this.#candidates(filter).filter((run) => isMatch(run, filter));
    return found
      .toReversed()
      .slice(0, filter.limit)
      .map((run) => this.#info(run));
  }

  /** Oldest first. */
  #candidates({ parent, forkedFrom }: RunFilter): readonly MemoryRun[] {
    if (forkedFrom !== undefined) return this.#forks.get(forkedFrom) ?? [];
    if (parent !== undefined && parent !== null) return this.#children.get(parent) ?? [];
    return [...this.#runs.values()];
  }

  async putBody(body: Json): Promise<BodyHash> {
    const hash = contentHash(JSON.stringify(body));
    this.#bodies.set(hash, body);
    return hash;
  }

  async getBody(hash: BodyHash): Promise<Json> {
    const body = this.#bodies.get(hash);
    if (body === undefined) throw bodyMissing(hash);
    return body;
  }

  async lease(run: RunId, owner: string, from?: Lease): Promise<Lease> {
    const found = this.#known(run);
    const isHandedOver = from?.epoch === found.epoch && from.owner === found.owner;
    if (found.owner !== owner && !isHandedOver && this.#isDriven(found))
      throw runBusy(run, { owner: found.owner ?? '' });
    found.epoch += 1;
    found.owner = owner;
    return { run, epoch: found.epoch, owner };
  }

  async release(lease: Lease): Promise<void> {
    const run = this.#known(lease.run);
    if (run.epoch === lease.epoch) run.owner = null;
  }

  async send(run: RunId, message: InboxMessage): Promise<void> {
    const { inbox } = this.#known(run);
    if (inbox.has(message.id)) return;
    inbox.set(message.id, message);
    this.#addressed.add(run);
    this.#listeners.announce();
  }

  async inbox(run: RunId): Promise<readonly InboxMessage[]> {
    return [...this.#known(run).inbox.values()].filter((message) => message !== null);
  }

  async addressed(): Promise<readonly RunId[]> {
    return [...this.#addressed];
  }

  onChange(listener: () => void): () => void {
    return this.#listeners.add(listener);
  }

  async close(): Promise<void> {
    this.#listeners.clear();
  }

  #known(run: RunId): MemoryRun {
    const found = this.#runs.get(run);
    if (found === undefined) throw runUnknown(run);
    return found;
  }

  #consume(run: MemoryRun, ids: readonly string[]): void {
    for (const id of ids) if (run.inbox.has(id)) run.inbox.set(id, null);
    const isPending = [...run.inbox.values()].some((message) => message !== null);
    if (!isPending) this.#addressed.delete(run.header.run);
  }

  #isDriven(run: MemoryRun): boolean {
    return run.owner !== null && this.#isAlive(run.owner);
  }

  #info(run: MemoryRun): RunInfo {
    const { header, summary, records, updatedAt } = run;
    return { ...header, ...summary, seq: records.length, tip: tipOf(run), updatedAt, driven: this.#isDriven(run) };
  }
}

/** Records are only ever added. */
const tipOf = ({ header, records }: MemoryRun): string => `${header.run}@${records.length}`;

function listUnder(lists: Map<RunId, MemoryRun[]>, name: RunId | null, run: MemoryRun): void {
  if (name === null) return;
  const listed = lists.get(name);
  if (listed === undefined) lists.set(name, [run]);
  else listed.push(run);
}

function isMatch({ header, summary }: MemoryRun, { parent, forkedFrom, status }: RunFilter): boolean {
  if (status !== undefined && status !== summary.status) return false;
  if (forkedFrom !== undefined && forkedFrom !== header.forkedFrom) return false;
  return parent === undefined || parent === header.parent;
}

import { isDeepStrictEqual } from 'node:util';

import { rootRunId, type BodyHash, type RunId } from '../../core/model/ids.ts';
import type { Json } from '../../core/model/json.ts';
import { byCommit } from '../../core/record/stored-record.ts';
import { ChangeListeners } from '../change-listeners.ts';
import { contentHash } from '../content-hash.ts';
import type {
  Batch,
  ChangeListener,
  InboxMessage,
  Journal,
  Lease,
  NewRecord,
  NewRun,
  RunFilter,
  RunInfo,
  RunSummary,
  StoredRecord,
  TreeRecord,
} from '../port.ts';
import {
  bodyMissing,
  refuseFallingCommits,
  refuseGap,
  refuseLostLease,
  runBusy,
  runExists,
  runUnknown,
} from '../refusal.ts';
import { wholeCommits } from '../tree-page.ts';

export interface MemoryJournalOptions {
  /** Whether the process of this owner still lives. Each owner counts as a separate process; without this, all live. */
  readonly isAlive?: (owner: string) => boolean;
}

/**
 * The journal of one process, gone with it. It keeps the given facts without copying or hashing them, so that benchmarks on
 * it measure the engine.
 */
export function createMemoryJournal(options: MemoryJournalOptions = {}): Journal {
  return new MemoryJournal(options.isAlive ?? (() => true));
}

interface MemoryRun {
  readonly header: NewRun;
  readonly tree: MemoryTree;
  readonly records: StoredRecord[];
  summary: RunSummary;
  updatedAt: number;
  epoch: number;
  owner: string | null;
  /** By id; null once it was consumed, so that the same id is not taken again. */
  readonly inbox: Map<string, InboxMessage | null>;
}

interface MemoryTree {
  readonly runs: MemoryRun[];
  /** The newest commit number. */
  commit: number;
}

const UNTOUCHED: RunSummary = { status: 'running', outcome: null };

class MemoryJournal implements Journal {
  readonly #runs = new Map<RunId, MemoryRun>();
  readonly #trees = new Map<RunId, MemoryTree>();
  readonly #children = new Map<RunId, MemoryRun[]>();
  readonly #forks = new Map<RunId, MemoryRun[]>();
  /** Kept separately, so that asking costs nothing while no messages arrive. */
  readonly #addressed = new Set<MemoryRun>();
  readonly #bodies = new Map<BodyHash, Json>();
  readonly #listeners = new ChangeListeners();
  readonly #isAlive: (owner: string) => boolean;

  constructor(isAlive: (owner: string) => boolean) {
    this.#isAlive = isAlive;
  }

  async create(header: NewRun, owner: string, first?: Batch): Promise<Lease> {
    const lease = { run: header.run, epoch: 1, owner };
    const known = this.#runs.get(header.run);
    if (known !== undefined) {
      if (isSameCreation(known, { header, owner, first })) return lease;
      throw runExists(header.run);
    }
    if (first !== undefined) refuseGap(header.run, 0, first.records);
    refuseFallingCommits(header.run, first?.records ?? []);
    const fresh = this.#addRun(header, owner);
    if (first === undefined) return lease;
    for (const { commit = 0 } of first.records) fresh.tree.commit = Math.max(fresh.tree.commit, commit);
    this.#add(fresh, first, ({ commit }, next) => commit ?? next);
    return lease;
  }

  #addRun(header: NewRun, owner: string): MemoryRun {
    const root = rootRunId(header.run);
    const tree = this.#trees.get(root) ?? { runs: [], commit: 0 };
    this.#trees.set(root, tree);
    const inbox = new Map<string, InboxMessage | null>();
    const fresh = { header, tree, records: [], summary: UNTOUCHED, updatedAt: header.at, epoch: 1, owner, inbox };
    tree.runs.push(fresh);
    this.#runs.set(header.run, fresh);
    listUnder(this.#children, header.parent, fresh);
    listUnder(this.#forks, header.forkedFrom ?? null, fresh);
    this.#listeners.announce([header.run]);
    return fresh;
  }

  async append(lease: Lease, batch: Batch): Promise<void> {
    const run = this.#known(lease.run);
    refuseLostLease(lease, run.epoch, run.owner !== null);
    if (isThereAlready(run, batch.records)) return;
    refuseGap(lease.run, run.records.length, batch.records);
    this.#add(run, batch, (_record, next) => next);
  }

  #add(run: MemoryRun, batch: Batch, commitOf: (record: NewRecord, next: number) => number): void {
    run.tree.commit += 1;
    for (const record of batch.records) {
      const { seq, at, fact } = record;
      run.records.push({ seq, at, fact, commit: commitOf(record, run.tree.commit) });
    }
    run.summary = batch.summary;
    run.updatedAt = batch.records.at(-1)?.at ?? run.updatedAt;
    if (batch.consumed !== undefined) this.#consume(run, batch.consumed);
    for (const { run: name, message } of batch.sends ?? []) this.#post(this.#runs.get(name), message);
    this.#listeners.announce([run.header.run]);
  }

  async read(run: RunId, after = 0, limit = Infinity): Promise<readonly StoredRecord[]> {
    const first = Math.max(0, after);
    return this.#known(run).records.slice(first, first + Math.max(0, Math.floor(limit)));
  }

  async tree(root: RunId, after = 0, limit = Infinity): Promise<readonly TreeRecord[]> {
    const tree = this.#runs.has(root) ? this.#trees.get(root) : undefined;
    if (tree === undefined) throw runUnknown(root);
    const news = tree.runs.flatMap(({ header: { run }, records }) => {
      const known = records.findLastIndex(({ commit }) => commit <= after);
      return records.slice(known + 1).map((record) => ({ ...record, run }));
    });
    return wholeCommits(news.toSorted(byCommit), limit);
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
  #candidates({ parent, forkedFrom, root }: RunFilter): readonly MemoryRun[] {
    if (forkedFrom !== undefined) return this.#forks.get(forkedFrom) ?? [];
    if (parent !== undefined && parent !== null) return this.#children.get(parent) ?? [];
    if (root !== undefined) return this.#trees.get(root)?.runs ?? [];
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
    this.#listeners.announce([run]);
    return { run, epoch: found.epoch, owner };
  }

  async release(lease: Lease): Promise<void> {
    const run = this.#known(lease.run);
    if (run.epoch !== lease.epoch) return;
    run.owner = null;
    this.#listeners.announce([lease.run]);
  }

  async send(run: RunId, message: InboxMessage): Promise<void> {
    this.#post(this.#known(run), message);
  }

  #post(run: MemoryRun | undefined, message: InboxMessage): void {
    if (run === undefined || run.inbox.has(message.id)) return;
    run.inbox.set(message.id, message);
    this.#addressed.add(run);
    this.#listeners.announce([run.header.run]);
  }

  async inbox(run: RunId): Promise<readonly InboxMessage[]> {
    return [...this.#known(run).inbox.values()].filter((message) => message !== null);
  }

  async addressed(): Promise<readonly RunId[]> {
    const heard = [...this.#addressed].filter((run) => run.summary.status !== 'settled' || this.#isDriven(run));
    return heard.map(({ header }) => header.run);
  }

  onChange(listener: ChangeListener): () => void {
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
    if (!isPending) this.#addressed.delete(run);
  }

  #isDriven(run: MemoryRun): boolean {
    return run.owner !== null && this.#isAlive(run.owner);
  }

  #info(run: MemoryRun): RunInfo {
    const { header, summary, records, updatedAt } = run;
    return { ...header, ...summary, seq: records.length, tip: tipOf(run), updatedAt, driven: this.#isDriven(run) };
  }
}

/** [J7] Owners are separate processes here, so the owner identifies the caller. */
function isSameCreation(known: MemoryRun, { header, owner, first }: Creation): boolean {
  if (known.epoch !== 1 || known.owner !== owner || !isDeepStrictEqual(known.header, header)) return false;
  return first === undefined || first.records.length === 0 || isThereAlready(known, first.records);
}

interface Creation {
  readonly header: NewRun;
  readonly owner: string;
  readonly first: Batch | undefined;
}

/** [J7] */
function isThereAlready({ records }: MemoryRun, repeated: readonly NewRecord[]): boolean {
  const [first] = repeated;
  if (first === undefined) return false;
  return repeated.every(({ seq, at, fact }, index) => {
    const there = records[seq - 1];
    return (
      seq === first.seq + index && there?.at === at && (there.fact === fact || isDeepStrictEqual(there.fact, fact))
    );
  });
}

/** Records are only ever added. */
const tipOf = ({ header, records }: MemoryRun): string => `${header.run}@${records.length}`;

function listUnder(lists: Map<RunId, MemoryRun[]>, name: RunId | null, run: MemoryRun): void {
  if (name === null) return;
  const listed = lists.get(name);
  if (listed === undefined) lists.set(name, [run]);
  else listed.push(run);
}

function isMatch({ header, summary }: MemoryRun, { parent, forkedFrom, root, status }: RunFilter): boolean {
  if (root !== undefined && root !== rootRunId(header.run)) return false;
  if (status !== undefined && status !== summary.status) return false;
  if (forkedFrom !== undefined && forkedFrom !== header.forkedFrom) return false;
  return parent === undefined || parent === header.parent;
}

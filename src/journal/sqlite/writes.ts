import { rootRunId, runId, type BodyHash, type RunId } from '../../core/model/ids.ts';
import type { Batch, InboxMessage, Lease, NewRun } from '../port.ts';
import { refuseFallingCommits, refuseGap, refuseLostLease, runBusy, runExists } from '../refusal.ts';
import type { Commit } from './group-commit.ts';
import { holderOf, isHeldByAnother, isSameHolder, type Processes } from './holder.ts';
import { findStoredRun, knownRun } from './known-run.ts';
import { firstTip, type WrittenRecord } from '../written-record.ts';
import { isAddressed, nameOf, type Relation, type StoredRun } from './run-table.ts';
import type { RecentRows } from './recent-rows.ts';
import type { Tables } from './tables.ts';

interface WritesOptions {
  readonly tables: Tables;
  readonly recent: RecentRows;
  readonly processes: Processes;
}

/** Every write to the database. Each runs inside a transaction. */
export class Writes {
  readonly #tables: Tables;
  readonly #recent: RecentRows;
  readonly #processes: Processes;

  constructor({ tables, recent, processes }: WritesOptions) {
    this.#tables = tables;
    this.#recent = recent;
    this.#processes = processes;
  }

  /** With the first records of the run, which keep the commit numbers they bring along [J8]. */
  create(commit: Commit, header: NewRun, { owner, first }: FirstLease): Lease {
    const lease = { run: header.run, epoch: 1, owner };
    const known = this.#tables.runs.find(header.run);
    if (known !== undefined) {
      if (this.#isSameCreation(known, header, { owner, first })) return lease;
      throw runExists(header.run);
    }
    const row = this.#insert(commit, header, owner);
    if (first === undefined) return lease;
    refuseGap(header.run, 0, first.records);
    refuseFallingCommits(header.run, first.records);
    for (const record of first.records) commit.goBeyond(record.commit ?? 0);
    this.#add(commit, row, first);
    return lease;
  }

  /** [J7] */
  #isSameCreation(row: StoredRun, header: NewRun, { owner, first }: FirstLease): boolean {
    const holder = holderOf(row.holder);
    if (row.epoch !== 1 || holder === null || !isSameHolder(holder, owner, this.#processes)) return false;
    if (row.header !== JSON.stringify(header)) return false;
    return first === undefined || first.records.length === 0 || this.#tables.records.isThere(row, first.records);
  }

  #insert(commit: Commit, header: NewRun, owner: string): StoredRun {
    const { runs } = this.#tables;
    const { run, parent, forkedFrom } = header;
    const root = rootRunId(run);
    this.#count(commit, 'children', parent);
    this.#count(commit, 'forks', forkedFrom ?? null);
    this.#count(commit, 'below', root === run ? null : root);
    const row: StoredRun = {
      number: commit.nextRun(),
      run: run.toWellFormed(),
      parent: parent?.toWellFormed() ?? null,
      forkOf: forkedFrom?.toWellFormed() ?? null,
      header: JSON.stringify(header),
      status: 'running',
      outcome: null,
      more: null,
      seq: 0,
      tip: firstTip(run),
      newest: 0,
      updatedAt: header.at,
      sent: 0,
      pending: 0,
      epoch: 1,
      holder: this.#holder(owner),
      // A fork's children are written before the fork itself.
      children: runs.related('children', run).length,
      forks: runs.related('forks', run).length,
      below: root === run ? runs.related('below', run).length : 0,
    };
    commit.note(runs.insert(row));
    commit.touch(run);
    return row;
  }

  append(commit: Commit, lease: Lease, batch: WrittenBatch): void {
    const row = this.#known(lease.run);
    refuseLostLease(lease, row.epoch, row.holder !== null);
    if (this.#tables.records.isThere(row, batch.records)) return;
    refuseGap(lease.run, row.seq, batch.records);
    this.#add(commit, row, batch);
  }

  /** The records, the run's summary, the messages they account for and those they send go together [J1]. */
  #add(commit: Commit, row: StoredRun, batch: WrittenBatch): void {
    const { records, inbox } = this.#tables;
    const consumed = inbox.consume(row, batch.consumed ?? []);
    const newest = batch.records.at(-1);
    const { status, outcome, ...more } = batch.summary;
    this.#save(commit, row, {
      status,
      outcome,
      more: Object.keys(more).length === 0 ? null : JSON.stringify(more),
      tip: records.append(row, batch.records, commit.number),
      ...(newest && { newest: newest.commit ?? commit.number, seq: newest.seq, updatedAt: newest.at }),
      pending: row.pending - consumed,
    });
    for (const { run, message } of batch.sends ?? []) this.#post(commit, findStoredRun(this.#tables, run), message);
  }

  lease(
    commit: Commit,
    run: RunId,
    { owner, from }: Pick<Lease, 'owner'> & { readonly from?: Lease | undefined },
  ): Lease {
    const row = this.#known(run);
    const holder = holderOf(row.holder);
    const isHandedOver = from?.epoch === row.epoch && from.owner === holder?.owner;
    if (holder !== null && !isHandedOver && isHeldByAnother(holder, owner, this.#processes)) throw runBusy(run, holder);
    const epoch = row.epoch + 1;
    this.#save(commit, row, { epoch, holder: this.#holder(owner) });
    return { run, epoch, owner };
  }

  release(commit: Commit, lease: Lease): void {
    const row = this.#known(lease.run);
    if (row.epoch === lease.epoch && row.holder !== null) this.#save(commit, row, { holder: null });
  }

  send(commit: Commit, run: RunId, message: InboxMessage): void {
    this.#post(commit, this.#known(run), message);
  }

  #post(commit: Commit, row: StoredRun | undefined, message: InboxMessage): void {
    if (row === undefined || this.#tables.inbox.has(row, message.id)) return;
    this.#tables.inbox.add(row, message);
    this.#save(commit, row, { sent: row.sent + 1, pending: row.pending + 1 });
  }

  putBody(commit: Commit, hash: BodyHash, body: string): void {
    if (this.#tables.bodies.put(hash, body)) commit.note(hash);
  }

  #known(run: RunId): StoredRun {
    return this.#recent.run(run) ?? knownRun(this.#tables, run);
  }

  #count(commit: Commit, relation: Relation, of: RunId | null): void {
    const row = of === null ? undefined : (this.#recent.run(of) ?? this.#tables.runs.find(of));
    if (row !== undefined) this.#write(commit, row, { [relation]: row[relation] + 1 });
  }

  #save(commit: Commit, row: StoredRun, change: Partial<StoredRun>): void {
    this.#write(commit, row, change);
    commit.touch(runId(nameOf(row)));
  }

  #write(commit: Commit, row: StoredRun, change: Partial<StoredRun>): void {
    const after = { ...row, ...change };
    this.#recent.wrote(runId(nameOf(row)), after);
    commit.note(after.tip);
    commit.note(this.#tables.runs.save(after));
    commit.address(Number(isAddressed(after)) - Number(isAddressed(row)));
  }

  #holder(owner: string): string {
    return JSON.stringify({ ...this.#processes.self, owner });
  }
}

export interface WrittenBatch extends Pick<Batch, 'summary' | 'consumed' | 'sends'> {
  readonly records: readonly WrittenRecord[];
}

interface FirstLease {
  readonly owner: string;
  readonly first: WrittenBatch | undefined;
}

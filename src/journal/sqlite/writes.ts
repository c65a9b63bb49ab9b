import type { BodyHash, RunId } from '../../core/ids.ts';
import type { Batch, InboxMessage, Lease, NewRun } from '../port.ts';
import { refuseGap, refuseLostLease, runBusy, runExists } from '../refusal.ts';
import type { Commit } from './group-commit.ts';
import { holderOf, isHeldByAnother, type Processes } from './holder.ts';
import { knownRun } from './known-run.ts';
import { firstTip, type WrittenRecord } from './record-table.ts';
import type { Relation, StoredRun } from './run-table.ts';
import type { Tables } from './tables.ts';

/** Everything that changes the database. Each runs inside a transaction, after which the journal is one step further. */
export class Writes {
  readonly #tables: Tables;
  readonly #processes: Processes;

  constructor(tables: Tables, processes: Processes) {
    this.#tables = tables;
    this.#processes = processes;
  }

  create(commit: Commit, header: NewRun, owner: string): Lease {
    const { runs } = this.#tables;
    if (runs.find(header.run) !== undefined) throw runExists(header.run);
    const { parent, forkedFrom } = header;
    this.#count(commit, 'children', parent);
    this.#count(commit, 'forks', forkedFrom ?? null);
    const row: StoredRun = {
      number: commit.nextRun(),
      run: header.run.toWellFormed(),
      parent: parent?.toWellFormed() ?? null,
      forkOf: forkedFrom?.toWellFormed() ?? null,
      header: JSON.stringify(header),
      status: 'running',
      outcome: null,
      more: null,
      seq: 0,
      tip: firstTip(header.run),
      updatedAt: header.at,
      sent: 0,
      pending: 0,
      epoch: 1,
      holder: this.#holder(owner),
      // A fork's children are written before the fork itself.
      children: runs.related('children', header.run).length,
      forks: runs.related('forks', header.run).length,
    };
    commit.note(runs.insert(row));
    return { run: header.run, epoch: 1, owner };
  }

  /** The records, the run's summary and the messages they account for go together [J1]. */
  append(commit: Commit, lease: Lease, batch: WrittenBatch): void {
    const { records, inbox } = this.#tables;
    const row = knownRun(this.#tables, lease.run);
    refuseLostLease(lease, row.epoch, row.holder !== null);
    refuseGap(lease.run, row.seq, batch.records);
    const consumed = inbox.consume(row, batch.consumed ?? []);
    const newest = batch.records.at(-1);
    const { status, outcome, ...more } = batch.summary;
    this.#save(commit, row, {
      status,
      outcome,
      more: Object.keys(more).length === 0 ? null : JSON.stringify(more),
      tip: records.append(row, batch.records),
      seq: newest?.seq ?? row.seq,
      updatedAt: newest?.at ?? row.updatedAt,
      pending: row.pending - consumed,
    });
  }

  lease(
    commit: Commit,
    run: RunId,
    { owner, from }: Pick<Lease, 'owner'> & { readonly from?: Lease | undefined },
  ): Lease {
    const row = knownRun(this.#tables, run);
    const holder = holderOf(row.holder);
    const isHandedOver = from?.epoch === row.epoch && from.owner === holder?.owner;
    if (holder !== null && !isHandedOver && isHeldByAnother(holder, owner, this.#processes)) throw runBusy(run, holder);
    const epoch = row.epoch + 1;
    this.#save(commit, row, { epoch, holder: this.#holder(owner) });
    return { run, epoch, owner };
  }

  release(commit: Commit, lease: Lease): void {
    const row = knownRun(this.#tables, lease.run);
    if (row.epoch === lease.epoch && row.holder !== null) this.#save(commit, row, { holder: null });
  }

  send(commit: Commit, run: RunId, message: InboxMessage): void {
    const row = knownRun(this.#tables, run);
    if (this.#tables.inbox.has(row, message.id)) return;
    this.#tables.inbox.add(row, message);
    this.#save(commit, row, { sent: row.sent + 1, pending: row.pending + 1 });
  }

  putBody(commit: Commit, hash: BodyHash, body: string): void {
    if (this.#tables.bodies.put(hash, body)) commit.note(hash);
  }

  #count(commit: Commit, relation: Relation, of: RunId | null): void {
    const row = of === null ? undefined : this.#tables.runs.find(of);
    if (row !== undefined) this.#save(commit, row, { [relation]: row[relation] + 1 });
  }

  #save(commit: Commit, row: StoredRun, change: Partial<StoredRun>): void {
    const after = { ...row, ...change };
    commit.note(after.tip);
    commit.note(this.#tables.runs.save(after));
    commit.address(Math.sign(after.pending) - Math.sign(row.pending));
  }

  #holder(owner: string): string {
    return JSON.stringify({ ...this.#processes.self, owner });
  }
}

export interface WrittenBatch extends Pick<Batch, 'summary' | 'consumed'> {
  readonly records: readonly WrittenRecord[];
}

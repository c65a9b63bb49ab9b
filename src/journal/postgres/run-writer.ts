import { hostname } from 'node:os';
import type { Fault } from '../../core/model/fault.ts';
import { rootRunId, type RunId } from '../../core/model/ids.ts';
import { InTurn } from '../../lib/in-turn.ts';
import type { Batch, InboxMessage, Lease, NewRun } from '../port.ts';
import { refuseFallingCommits, refuseGap, refuseLostLease, runBusy, runExists, runUnknown } from '../refusal.ts';
import { firstTip, writtenRecord, type WrittenRecord } from '../written-record.ts';
import { APPEND_CODE, AppendGroups, columns, type RunNumbers } from './append-groups.ts';
import type { ChangeSignals } from './change-signals.ts';
import type { DatabaseLink } from './database-link.ts';
import type { Presence } from './presence.ts';
import type { RecordRows } from './record-rows.ts';
import { sumOfHeader, type RunRows } from './run-rows.ts';
import { CREATE, LEASE, RELEASE, SEND } from './statements.ts';
import { storedText, textFrom } from './stored-text.ts';
import { chained, linesOf, textBatch, textMessage, type TextBatch } from './written-batch.ts';

/** Where a leased run stands: the next batch is chained from here. */
interface Standing extends RunNumbers {
  readonly epoch: number;
  readonly seq: number;
  readonly tip: string;
}

export interface RunWriterParts {
  readonly link: DatabaseLink;
  readonly presence: Presence;
  readonly runs: RunRows;
  readonly records: RecordRows;
  readonly signals: ChangeSignals;
}

/** Everything that changes a run. The writes of one run take effect in the order in which they were asked for. */
export class RunWriter {
  readonly #link: DatabaseLink;
  readonly #presence: Presence;
  readonly #runs: RunRows;
  readonly #records: RecordRows;
  readonly #signals: ChangeSignals;
  readonly #groups: AppendGroups;
  readonly #writes = new InTurn();
  readonly #standings = new Map<RunId, Standing>();

  constructor({ link, presence, runs, records, signals }: RunWriterParts) {
    this.#link = link;
    this.#presence = presence;
    this.#runs = runs;
    this.#records = records;
    this.#signals = signals;
    this.#groups = new AppendGroups(link, (changed, change) => signals.announce(changed, change));
  }

  create(header: NewRun, owner: string, first?: Batch): Promise<Lease> {
    const { run } = header;
    const batch = textBatch(first ?? { records: [], summary: { status: 'running', outcome: null } });
    const commits = (first?.records ?? []).map(({ commit }) => commit ?? null);
    const text = JSON.stringify(header);
    return this.#writes.run(run, async () => {
      refuseGap(run, 0, batch.records);
      refuseFallingCommits(run, first?.records ?? []);
      await this.#presence.register();
      return this.#create({ header, text, owner, batch, commits });
    });
  }

  async #create(creation: Creation): Promise<Lease> {
    const { header, owner, batch } = creation;
    const { run } = header;
    const rows = rowsOf(run, batch.records, creation.commits);
    const tip = rows.at(-1)?.hash ?? firstTip(run);
    const values = valuesOf(creation, { rows, tip, worker: this.#presence.worker.id });
    const [row] = await this.#link.query<CreatedRow>(CREATE, values);
    if (row?.code === CODE.runExists) throw runExists(run);
    if (row?.code === APPEND_CODE.written)
      this.#standings.set(run, { ...numbersOf(row), epoch: 1, seq: batch.records.length, tip });
    this.#announce([run, ...batch.sends.map(({ to }) => to)], row?.change);
    return { run, epoch: 1, owner };
  }

  append(lease: Lease, batch: Batch): Promise<void> {
    const text = textBatch(batch);
    return this.#writes.run(lease.run, async () => {
      const known = this.#standings.get(lease.run);
      const isNext = known?.epoch === lease.epoch && isContinued(known.seq, text);
      if (known !== undefined && isNext && (await this.#submit(lease, text, known))) return;
      await this.#appendCarefully(lease, text);
    });
  }

  /** Where this process does not know how the run stands: looks it up, and accepts what is there already [J7]. */
  async #appendCarefully(lease: Lease, batch: TextBatch): Promise<void> {
    const row = await this.#runs.known(lease.run);
    refuseLostLease(lease, row.epoch, row.worker !== null);
    const [first] = batch.records;
    if (first !== undefined && first.seq <= row.seq) {
      const there = await this.#records.read(row, first.seq - 1, batch.records.length);
      if (JSON.stringify(there.map(writtenRecord)) === JSON.stringify(batch.records)) return;
    }
    refuseGap(lease.run, row.seq, batch.records);
    // Another journal of this process may have used the lease meanwhile.
    if (!(await this.#submit(lease, batch, row))) await this.#appendCarefully(lease, batch);
  }

  /** False where the run stands elsewhere than was thought. */
  async #submit(lease: Lease, batch: TextBatch, { number, tree, seq, tip }: Omit<Standing, 'epoch'>): Promise<boolean> {
    const { run, epoch } = lease;
    const reached = seq + batch.records.length;
    const newTip = batch.lines === null ? tip : chained(tip, reached, batch.lines);
    this.#standings.delete(run);
    const code = await this.#groups.submit({ run, number, tree, epoch, after: seq, tip: newTip, batch });
    if (code === APPEND_CODE.runUnknown) throw runUnknown(run);
    if (code === APPEND_CODE.leaseLost) refuseLostLease(lease, (await this.#runs.known(run)).epoch, false);
    if (code !== APPEND_CODE.written && code !== APPEND_CODE.isThere) return false;
    this.#standings.set(run, { number, tree, epoch, seq: reached, tip: newTip });
    return true;
  }

  lease(run: RunId, owner: string, from?: Lease): Promise<Lease> {
    return this.#writes.run(run, async () => {
      await this.#presence.register();
      const [row] = await this.#link.query<LeaseRow>(LEASE, [
        storedText(run),
        this.#presence.worker.id,
        storedText(owner),
        from?.epoch ?? null,
        from === undefined ? null : storedText(from.owner),
      ]);
      if (row === undefined || row.code === APPEND_CODE.runUnknown) throw runUnknown(run);
      if (row.code === CODE.runBusy) throw busy(run, row);
      const { epoch, seq, tip } = row;
      this.#standings.set(run, { ...numbersOf(row), epoch, seq, tip });
      this.#announce([run], row.change);
      return { run, epoch, owner };
    });
  }

  release(lease: Lease): Promise<void> {
    const { run, epoch } = lease;
    return this.#writes.run(run, async () => {
      const [row] = await this.#link.query<{ change: number | null }>(RELEASE, [storedText(run), epoch]);
      if (row === undefined) throw runUnknown(run);
      if (this.#standings.get(run)?.epoch === epoch) this.#standings.delete(run);
      this.#announce([run], row.change);
    });
  }

  send(run: RunId, message: InboxMessage): Promise<void> {
    const { id, message: text, sum } = textMessage(message);
    return this.#writes.run(run, async () => {
      const [row] = await this.#link.query<{ change: number | null }>(SEND, [storedText(run), id, text, sum]);
      if (row === undefined) throw runUnknown(run);
      this.#announce([run], row.change);
    });
  }

  /** Resolves when no write is under way. */
  settle(): Promise<void> {
    return this.#writes.settle();
  }

  #announce(runs: readonly RunId[], change: number | null | undefined): void {
    if (change !== null && change !== undefined) this.#signals.announce(runs, change);
  }
}

interface Creation {
  readonly header: NewRun;
  readonly text: string;
  readonly owner: string;
  readonly batch: TextBatch;
  /** That the records bring along. */
  readonly commits: readonly (number | null)[];
}

interface CreatedRow {
  readonly code: number;
  readonly change: number | null;
  readonly run_number: number;
  readonly tree_number: number;
}

interface LeaseRow extends CreatedRow, Omit<Standing, keyof RunNumbers> {
  readonly holder: string;
  readonly host: string | null;
  readonly pid: number | null;
}

const numbersOf = ({ run_number: number, tree_number: tree }: CreatedRow): RunNumbers => ({ number, tree });

/** In the order of the function's parameters. */
function valuesOf(
  { header, text, owner, batch }: Creation,
  { rows, tip, worker }: { readonly rows: readonly FirstRow[]; readonly tip: string; readonly worker: string },
): readonly unknown[] {
  const names = [header.run, rootRunId(header.run), header.parent, header.forkedFrom ?? null];
  return [
    ...names.map((name) => (name === null ? null : storedText(name))),
    text,
    sumOfHeader(text),
    worker,
    storedText(owner),
    batch.status,
    batch.outcome,
    batch.more,
    tip,
    batch.records.at(-1)?.at ?? header.at,
    ...columns(rows, ['given', 'seq', 'lines', 'hash']),
    ...columns(
      batch.records.flatMap(({ large }) => large ?? []),
      ['hash', 'body'],
    ),
    ...columns(batch.sends, ['run', 'id', 'message', 'sum']),
  ];
}

interface FirstRow {
  readonly given: number | null;
  readonly seq: number;
  readonly lines: string;
  readonly hash: string;
}

/** The records that a run begins with: those that bring the same commit number along are one row. */
function rowsOf(
  run: RunId,
  records: readonly WrittenRecord[],
  commits: readonly (number | null)[],
): readonly FirstRow[] {
  const rows: FirstRow[] = [];
  let hash = firstTip(run);
  for (let from = 0; from < records.length;) {
    const given = commits[from] ?? null;
    const other = commits.findIndex((commit, index) => index > from && commit !== given);
    const own = records.slice(from, other === -1 ? undefined : other);
    const lines = linesOf(own);
    from += own.length;
    hash = chained(hash, from, lines);
    rows.push({ given, seq: from, lines, hash });
  }
  return rows;
}

/** Beside `APPEND_CODE`. */
const CODE = { runExists: 5, runBusy: 6 } as const;

const isContinued = (seq: number, { records }: TextBatch): boolean =>
  records.every((record, index) => record.seq === seq + 1 + index);

function busy(run: RunId, { holder, host, pid }: LeaseRow): Fault {
  const where = host === null || textFrom(host) === hostname() ? '' : ` on ${textFrom(host)}`;
  return runBusy(run, { owner: `${textFrom(holder)}${where}`, ...(pid === null ? {} : { pid }) });
}

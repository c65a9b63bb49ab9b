import { rootRunId, type BodyHash, type RunId } from '../../core/model/ids.ts';
import type { Json } from '../../core/model/json.ts';
import { contentHash } from '../content-hash.ts';
import type {
  Batch,
  ChangeListener,
  InboxMessage,
  Lease,
  NewRun,
  RunFilter,
  RunInfo,
  RunSummary,
  StoredRecord,
  TreeRecord,
} from '../port.ts';
import { bodyMissing, damaged, journalClosed, runUnknown } from '../refusal.ts';
import { parseAddress } from '../journal-address.ts';
import { ChangeSignals } from './change-signals.ts';
import { DatabaseLink } from './database-link.ts';
import { inspectPostgres } from './inspect.ts';
import { prepareDatabase } from './open-database.ts';
import { reserve } from './reservations.ts';
import { askToDrain, ownWorker, Presence, registeredWorkers } from './presence.ts';
import { RecordRows } from './record-rows.ts';
import { RunRows } from './run-rows.ts';
import { RunWriter } from './run-writer.ts';
import { ADDRESSED_RUNS, GET_BODY, INBOX, PUT_BODY, UNDRIVEN_RUNS } from './statements.ts';
import { runFrom, storedText } from './stored-text.ts';
import { sumOfMessage } from './written-batch.ts';
import type {
  AwayListener,
  PostgresInspection,
  PostgresJournal,
  RegisteredWorker,
  UndrivenRun,
  WorkerIdentity,
  WorkOffer,
} from './shared-journal.ts';

export interface PostgresJournalOptions extends AwayListener {
  /** postgres://USER:PASSWORD@HOST:PORT/DATABASE */
  readonly address: string;
  /** The cluster that the database belongs to, or shall belong to where it is used for the first time. */
  readonly cluster?: string | null;
  /** How this process describes itself to the others; a test may be several. */
  readonly worker?: Partial<WorkerIdentity>;
  /** Several clocks of this machine, in milliseconds: what one of them does not notice, another may. */
  readonly clocks?: () => readonly number[];
}

/** The journal that several machines share. */
export async function openPostgresJournal(options: PostgresJournalOptions): Promise<PostgresJournal> {
  const link = new DatabaseLink(parseAddress(options.address), options);
  try {
    await prepareDatabase(link, options.cluster ?? null);
    const worker = { ...ownWorker(), ...options.worker };
    return new OpenPostgresJournal(link, new Presence(link, worker, options.clocks));
  } catch (error) {
    await link.close();
    throw error;
  }
}

class OpenPostgresJournal implements PostgresJournal {
  readonly #link: DatabaseLink;
  readonly #presence: Presence;
  readonly #runs: RunRows;
  readonly #records: RecordRows;
  readonly #signals: ChangeSignals;
  readonly #writer: RunWriter;
  #closing: Promise<void> | undefined;

  constructor(link: DatabaseLink, presence: Presence) {
    this.#link = link;
    this.#presence = presence;
    this.#runs = new RunRows(link, presence.worker.id);
    this.#records = new RecordRows(link);
    this.#signals = new ChangeSignals(link);
    this.#writer = new RunWriter({
      link,
      presence: this.#presence,
      runs: this.#runs,
      records: this.#records,
      signals: this.#signals,
    });
  }

  async create(header: NewRun, owner: string, first?: Batch): Promise<Lease> {
    this.#refuseClosed();
    return this.#writer.create(header, owner, first);
  }

  async append(lease: Lease, batch: Batch): Promise<void> {
    this.#refuseClosed();
    return this.#writer.append(lease, batch);
  }

  async lease(run: RunId, owner: string, from?: Lease): Promise<Lease> {
    this.#refuseClosed();
    return this.#writer.lease(run, owner, from);
  }

  async release(lease: Lease): Promise<void> {
    this.#refuseClosed();
    return this.#writer.release(lease);
  }

  async send(run: RunId, message: InboxMessage): Promise<void> {
    this.#refuseClosed();
    return this.#writer.send(run, message);
  }

  async read(run: RunId, after = 0, limit?: number): Promise<readonly StoredRecord[]> {
    this.#refuseClosed();
    return this.#records.read(await this.#runs.known(run), Math.max(0, after), limit);
  }

  async tree(root: RunId, after = 0, limit?: number): Promise<readonly TreeRecord[]> {
    this.#refuseClosed();
    if (rootRunId(root) !== root) throw runUnknown(root);
    return this.#records.tree(await this.#runs.known(root), Math.max(0, after), limit);
  }

  async run(run: RunId): Promise<RunInfo | undefined> {
    this.#refuseClosed();
    const row = await this.#runs.find(run);
    return row && this.#runs.infoOf(row);
  }

  async runs(filter: RunFilter = {}): Promise<readonly RunInfo[]> {
    this.#refuseClosed();
    return (await this.#runs.list(filter)).map((row) => this.#runs.infoOf(row));
  }

  async putBody(body: Json): Promise<BodyHash> {
    this.#refuseClosed();
    const text = JSON.stringify(body);
    const hash = contentHash(text);
    await this.#link.query(PUT_BODY, [hash, text]);
    return hash;
  }

  async getBody(hash: BodyHash): Promise<Json> {
    this.#refuseClosed();
    const [row] = await this.#link.query<{ body: string }>(GET_BODY, [hash]);
    if (row === undefined) throw bodyMissing(hash);
    if (contentHash(row.body) !== hash) throw damaged(`The body ${hash} is damaged.`, { hash });
    return JSON.parse(row.body) as Json;
  }

  async inbox(run: RunId): Promise<readonly InboxMessage[]> {
    this.#refuseClosed();
    const rows = await this.#link.query<MessageRow>(INBOX, [storedText(run)]);
    if (rows.length === 0) throw runUnknown(run);
    return rows.flatMap(({ id, message, sum }) => {
      if (message === null) return [];
      if (sumOfMessage(id, message) !== sum) throw damaged(`A message to run ${run} is damaged.`, { run });
      return [JSON.parse(message) as InboxMessage];
    });
  }

  async addressed(): Promise<readonly RunId[]> {
    this.#refuseClosed();
    const rows = await this.#link.query<{ run: string }>(ADDRESSED_RUNS, [this.#presence.worker.id]);
    return rows.map(({ run }) => runFrom(run));
  }

  async undriven(): Promise<readonly UndrivenRun[]> {
    this.#refuseClosed();
    const rows = await this.#link.query<UndrivenRow>(UNDRIVEN_RUNS, [this.#presence.worker.id]);
    return rows.map(({ run, more }) => {
      const wakesAt = Math.min(...more.map((text) => (JSON.parse(text ?? '{}') as Partial<RunSummary>).wakesAt ?? 0));
      return { run: runFrom(run), ...(wakesAt === 0 ? {} : { wakesAt }) };
    });
  }

  onChange(listener: ChangeListener): () => void {
    this.#refuseClosed();
    return this.#signals.add(listener);
  }

  async register(work?: WorkOffer): Promise<string> {
    this.#refuseClosed();
    await (work === undefined ? this.#presence.register() : this.#presence.registerWork(work));
    return this.#presence.worker.id;
  }

  async workers(): Promise<readonly RegisteredWorker[]> {
    this.#refuseClosed();
    return registeredWorkers(this.#link);
  }

  async drain(worker: string): Promise<boolean> {
    this.#refuseClosed();
    return askToDrain(this.#link, worker);
  }

  async now(): Promise<number> {
    this.#refuseClosed();
    const [row] = await this.#link.query<{ now: number }>({ text: NOW });
    return row?.now ?? NaN;
  }

  async alone<T>(work: () => Promise<T>): Promise<T> {
    this.#refuseClosed();
    return this.#link.alone(work);
  }

  async inspect(): Promise<PostgresInspection> {
    this.#refuseClosed();
    return inspectPostgres(this.#link, this.#runs, this.#records);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async reserve(root: RunId, name: string, signal: AbortSignal): Promise<() => Promise<void>> {
    this.#refuseClosed();
    return await reserve(this.#link, { root, name, worker: await this.register() }, signal);
  }

  lapses(): number {
    return this.#presence.lapses();
  }

  async #close(): Promise<void> {
    // Connections that rest do not keep the process; their farewell must.
    const hold = setInterval(() => undefined, 1000);
    this.#link.stopWaiting();
    await this.#writer.settle();
    await this.#signals.close();
    await this.#presence.leave();
    await this.#link.close();
    clearInterval(hold);
  }

  #refuseClosed(): void {
    if (this.#closing !== undefined) throw journalClosed();
  }
}

const NOW = 'select (extract(epoch from clock_timestamp()) * 1000)::double precision as now';

interface UndrivenRow {
  readonly run: string;
  /** Of the runs that are driven with it; null for one that has a message. */
  readonly more: readonly (string | null)[];
}

interface MessageRow {
  readonly id: string;
  readonly message: string | null;
  readonly sum: number;
}

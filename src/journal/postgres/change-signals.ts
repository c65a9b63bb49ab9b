import type { RunId } from '../../core/model/ids.ts';
import { ChangeListeners } from '../change-listeners.ts';
import type { ChangeListener } from '../port.ts';
import type { DatabaseLink } from './database-link.ts';
import { HeldConnection } from './held-connection.ts';
import { parseJson } from '../../core/model/json.ts';

const CHANNEL = 'troupe';
const POLL_MS = 1000;

/** Notifications of a busy process are collected for so long; the first after a rest leaves at once. */
const SPACING_MS = 20;

/** PostgreSQL takes payloads of less than 8,000 bytes. */
const LARGEST_PAYLOAD = 7500;

/** What a notification says: the numbers of the writes, and the runs they changed. */
interface Signal {
  readonly changes: readonly number[];
  readonly runs: readonly RunId[];
}

/**
 * Tells listeners which runs changed: of own writes at once, of other processes' by notification. A notification is sent after
 * the commit, from a connection that does not wait for the disk: inside it, all commits of the server would queue up. One may
 * be lost that way, so every write has a number: once a second the newest number shows whether one was missed.
 * All processes share one channel: each may show any run, and names are collected, so that it carries little.
 */
export class ChangeSignals {
  readonly #listeners = new ChangeListeners();
  readonly #link: DatabaseLink;
  readonly #connection: HeldConnection;
  #backend = 0;
  #timer: NodeJS.Timeout | undefined;
  /** Writes up to here are accounted for. */
  #settled = 0;
  /** The newest write at the last look. */
  #newest = 0;
  readonly #heard = new Set<number>();
  #unsent = { changes: [] as number[], runs: new Set<RunId>() };
  #sending: Promise<void> | undefined;

  constructor(link: DatabaseLink) {
    this.#link = link;
    this.#connection = new HeldConnection(link, async (client) => {
      client.on('notification', ({ processId, payload }) => this.#receive(processId, payload ?? ''));
      const { rows } = await client.query<{ backend: number }>(
        "select pg_backend_pid() as backend, set_config('synchronous_commit', 'off', false)",
      );
      this.#backend = rows[0]?.backend ?? 0;
      if (!this.#listeners.isEmpty) {
        await client.query(`listen ${CHANNEL}`);
        this.#listeners.announce(null);
      }
    });
  }

  add(listener: ChangeListener): () => void {
    const isFirst = this.#listeners.isEmpty;
    const remove = this.#listeners.add(listener);
    if (isFirst) this.#listen();
    return () => {
      remove();
      if (this.#listeners.isEmpty) this.#stopListening();
    };
  }

  /** This process wrote: `change` is the number of the write. */
  announce(runs: readonly RunId[], change: number): void {
    this.#listeners.announce(runs);
    if (!this.#listeners.isEmpty) this.#heard.add(change);
    this.#unsent.changes.push(change);
    for (const run of runs) this.#unsent.runs.add(run);
    this.#sending ??= this.#send();
  }

  async close(): Promise<void> {
    this.#stopListening();
    this.#listeners.clear();
    await this.#sending;
    await this.#connection.close();
  }

  async #send(): Promise<void> {
    while (this.#unsent.changes.length > 0) {
      const { changes, runs } = this.#unsent;
      this.#unsent = { changes: [], runs: new Set() };
      const payloads = payloadsOf({ changes, runs: [...runs] });
      // A lost notification is noticed by the number of the write.
      await this.#connection
        .query(`select pg_notify('${CHANNEL}', payload) from unnest($1::text[]) payload`, [payloads])
        .catch(() => undefined);
      if (!this.#link.isClosing) await this.#link.pause(SPACING_MS);
    }
    this.#sending = undefined;
  }

  #listen(): void {
    this.#heard.clear();
    this.#settled = Infinity;
    const start =
      this.#connection.client === undefined ? this.#connection.open() : this.#connection.query(`listen ${CHANNEL}`);
    Promise.resolve(start)
      .then(() => this.#look())
      .catch(() => undefined);
    this.#timer = setInterval(() => void this.#look(), POLL_MS);
    this.#timer.unref();
  }

  #stopListening(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    if (this.#connection.client !== undefined && !this.#link.isClosing)
      this.#connection.query(`unlisten ${CHANNEL}`).catch(() => undefined);
  }

  #receive(backend: number, payload: string): void {
    if (backend === this.#backend) return;
    const signal = signalIn(payload);
    for (const change of signal?.changes ?? []) this.#heard.add(change);
    this.#listeners.announce(signal?.runs ?? null);
  }

  /** What was written by the last look and has not been heard of by this one was missed. */
  async #look(): Promise<void> {
    if (this.#connection.client === undefined) return;
    const rows = await this.#connection.query<{ newest: number }>(NEWEST).catch(() => []);
    const newest = rows[0]?.newest;
    if (newest === undefined || this.#timer === undefined) return;
    if (this.#settled === Infinity) this.#newest = newest;
    else if (this.#isMissing()) this.#listeners.announce(null);
    this.#settled = this.#newest;
    for (const change of this.#heard) if (change <= this.#settled) this.#heard.delete(change);
    this.#newest = newest;
  }

  #isMissing(): boolean {
    for (let change = this.#settled + 1; change <= this.#newest; change += 1) if (!this.#heard.has(change)) return true;
    return false;
  }
}

const NEWEST = 'select case when is_called then last_value else 0 end as newest from troupe.changes';

/** As many as the names need. */
function payloadsOf({ changes, runs }: Signal): readonly string[] {
  const whole = JSON.stringify({ changes, runs });
  if (Buffer.byteLength(whole) <= LARGEST_PAYLOAD || changes.length + runs.length <= 1) return [whole];
  const [first, rest] = [half(changes), half(runs)];
  return [...payloadsOf({ changes: first[0], runs: rest[0] }), ...payloadsOf({ changes: first[1], runs: rest[1] })];
}

const half = <T>(list: readonly T[]): readonly [readonly T[], readonly T[]] => {
  const middle = Math.ceil(list.length / 2);
  return [list.slice(0, middle), list.slice(middle)];
};

/** Anybody who reaches the database may notify; what cannot be read may mean any run. */
function signalIn(payload: string): Signal | null {
  const signal = parseJson(payload, null) as Partial<Signal> | null;
  return Array.isArray(signal?.changes) && Array.isArray(signal.runs) ? (signal as Signal) : null;
}

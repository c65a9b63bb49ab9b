import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Fault } from '../../core/model/fault.ts';
import { isPassingError } from '../../lib/passing-database-error.ts';
import { type Body, inGroups, type LargeBody, PIECE_BYTES, type SharedStore, type SmallBody } from './port.ts';
import type { IdentityKeeper } from './store-identity.ts';

/** What is used of `pg`: a pool, or one connection. */
export interface Database {
  query(sql: string, values?: unknown[]): Promise<{ readonly rows: readonly unknown[] }>;
}

export interface PostgresStoreOptions {
  /** So long a server that is away is waited for. Every statement here may be repeated. */
  readonly patienceMs?: number;
  readonly close?: () => Promise<void>;
}

/**
 * Bodies in a PostgreSQL database. Small ones are a row each; large ones are rows of 256 KB, each committed by itself, and
 * count from the moment the row that names them is there. Results are read as text: `pg` damages bytes in its binary mode.
 */
export async function openPostgresStore(database: Database, options: PostgresStoreOptions = {}): Promise<SharedStore> {
  const store = new PostgresStore(database, options);
  await store.prepare();
  return store;
}

class PostgresStore implements SharedStore {
  readonly #database: Database;
  readonly #options: PostgresStoreOptions;

  constructor(database: Database, options: PostgresStoreOptions) {
    this.#database = database;
    this.#options = options;
  }

  /** Without retries, so that a wrong address is reported at once. */
  async prepare(): Promise<void> {
    await prepareTables(this.#database);
    await queryPatiently(this.#database, { sql: FORGET_ABANDONED, patienceMs: 0 });
  }

  async missing(names: readonly string[]): Promise<ReadonlySet<string>> {
    const found = await this.#query<{ name: string }>(
      'select wanted.name from unnest($1::text[]) wanted(name) left join troupe_store.body using (name) where body.name is null',
      [names],
    );
    return new Set(found.map(({ name }) => name));
  }

  async put(bodies: Iterable<Body> | AsyncIterable<Body>): Promise<void> {
    await inGroups(bodies, { group: (group) => this.#putGroup(group), large: (body) => this.#putLarge(body) });
  }

  async *get(names: readonly string[]): AsyncGenerator<Body> {
    for (let at = 0; at < names.length; at += READ_AT_ONCE) {
      const rows = await this.#query<BodyRow>(
        'select name, content, upload, pieces from troupe_store.body where name = any($1)',
        [names.slice(at, at + READ_AT_ONCE)],
      );
      for (const { name, content, upload, pieces } of rows) {
        yield { name, content: content ?? this.#pieces({ upload, pieces }) };
      }
    }
  }

  async close(): Promise<void> {
    await this.#options.close?.();
  }

  /** In the order of their names, so that two who put the same never wait for each other in a circle. */
  async #putGroup(group: readonly SmallBody[]): Promise<void> {
    const sorted = group.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    const places = sorted.map((_, at) => `($${2 * at + 1}, $${2 * at + 2})`).join();
    await this.#query(
      `insert into troupe_store.body (name, content) values ${places} on conflict do nothing`,
      sorted.flatMap(({ name, content }) => [name, content]),
    );
  }

  async #putLarge({ name, content }: LargeBody): Promise<void> {
    const upload = randomUUID();
    let pieces = 0;
    try {
      for await (const piece of inPieces(content)) {
        await this.#query(PUT_PIECE, [upload, pieces, piece]);
        pieces += 1;
      }
      await this.#query(SEAL, [name, upload, pieces]);
    } finally {
      // Where it broke off, or another worker was faster with the same body.
      await this.#query(FORGET_UPLOAD, [upload]).catch(() => []);
    }
  }

  async *#pieces({ upload, pieces }: Pick<BodyRow, 'upload' | 'pieces'>): AsyncGenerator<Buffer> {
    for (let at = 0; at < pieces; at += 1) {
      const [row] = await this.#query<{ content: Buffer }>(
        'select content from troupe_store.piece where upload = $1 and at = $2',
        [upload, at],
      );
      // What comes out too short is refused by its hash.
      if (row === undefined) return;
      yield row.content;
    }
  }

  async #query<Row>(sql: string, values?: unknown[]): Promise<readonly Row[]> {
    return (await queryPatiently(this.#database, { sql, values, ...this.#options })) as readonly Row[];
  }
}

interface BodyRow {
  readonly name: string;
  readonly content: Buffer | null;
  readonly upload: string;
  readonly pieces: number;
}

const READ_AT_ONCE = 50;

const PUT_PIECE = 'insert into troupe_store.piece (upload, at, content) values ($1, $2, $3) on conflict do nothing';
const SEAL = 'insert into troupe_store.body (name, upload, pieces) values ($1, $2, $3) on conflict do nothing';
const FORGET_UPLOAD =
  'delete from troupe_store.piece where upload = $1 and not exists (select from troupe_store.body where upload = $1)';

/** For workers that share a database and a folder. */
export function postgresIdentity(database: Database): IdentityKeeper {
  return {
    async claim(id) {
      await prepareTables(database);
      const keep = 'insert into troupe_store.identity (id) values ($1) on conflict do nothing';
      await queryPatiently(database, { sql: keep, values: [id] });
      const [row] = await queryPatiently(database, { sql: 'select id from troupe_store.identity' });
      return (row as { readonly id: string }).id;
    },
  };
}

const FORMAT = 1;

/** One worker at a time: `if not exists` alone fails when two begin at once. Where the tables are there, nothing is locked. */
async function prepareTables(database: Database): Promise<void> {
  const known = await queryPatiently(database, {
    sql: "select to_regclass('troupe_store.format')::text as name",
    patienceMs: 0,
  });
  if ((known[0] as { readonly name: string | null }).name === null) {
    await queryPatiently(database, { sql: TABLES, patienceMs: 0 });
  }
  const [row] = await queryPatiently(database, { sql: 'select version from troupe_store.format', patienceMs: 0 });
  const { version } = row as { readonly version: number };
  if (version === FORMAT) return;
  throw new Fault(
    'STORE_NEWER',
    `The shared store's database is in format ${version}; this version of Troupe reads ${FORMAT}.`,
    {
      hint: 'Use one version of Troupe on all workers.',
      facts: { version },
    },
  );
}

const TABLES = `do $$ begin
  perform pg_advisory_xact_lock(hashtextextended('troupe_store', 0));
  -- Not by to_regclass, which may answer from before the lock.
  if exists (select from pg_tables where schemaname = 'troupe_store' and tablename = 'format') then return; end if;
  create schema if not exists troupe_store;
  create table troupe_store.body (
    name text primary key,
    content bytea,
    upload uuid,
    pieces int,
    check ((content is null) = (upload is not null and pieces is not null))
  );
  alter table troupe_store.body alter column content set storage external;
  create index body_upload on troupe_store.body (upload) where upload is not null;
  create table troupe_store.piece (
    upload uuid,
    at int,
    content bytea not null,
    made timestamptz not null default now(),
    primary key (upload, at)
  );
  alter table troupe_store.piece alter column content set storage external;
  create table troupe_store.identity (is_only boolean primary key default true check (is_only), id text not null);
  create table troupe_store.format (version int not null);
  insert into troupe_store.format values (${FORMAT});
end $$`;

/** Pieces of uploads that broke off and were never sealed. No upload takes a day. */
const FORGET_ABANDONED = `
  delete from troupe_store.piece where made < now() - interval '1 day'
    and not exists (select from troupe_store.body where body.upload = piece.upload)`;

/** Cuts or joins what comes to pieces of one size. */
async function* inPieces(content: Iterable<Buffer> | AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = [];
  let bytes = 0;
  for await (const part of content) {
    waiting.push(part);
    bytes += part.length;
    if (bytes < PIECE_BYTES) continue;
    const joined = Buffer.concat(waiting);
    let at = 0;
    for (; joined.length - at >= PIECE_BYTES; at += PIECE_BYTES) yield joined.subarray(at, at + PIECE_BYTES);
    waiting = [joined.subarray(at)];
    bytes = joined.length - at;
  }
  if (bytes > 0) yield Buffer.concat(waiting);
}

interface Statement extends Pick<PostgresStoreOptions, 'patienceMs'> {
  readonly sql: string;
  readonly values?: unknown[] | undefined;
}

async function queryPatiently(database: Database, statement: Statement): Promise<readonly unknown[]> {
  const { sql, values, patienceMs = PATIENCE_MS } = statement;
  const until = Date.now() + patienceMs;
  for (let pauseMs = 50; ; pauseMs = Math.min(2 * pauseMs, 2000)) {
    try {
      return (await database.query(sql, values)).rows;
    } catch (error) {
      if (!isPassingError(error) || Date.now() + pauseMs > until) throw databaseFault(error);
      await delay(pauseMs);
    }
  }
}

const PATIENCE_MS = 30_000;

function codeOf(error: unknown): string {
  const code = (error as { readonly code?: unknown }).code;
  return typeof code === 'string' ? code : '';
}

function databaseFault(error: unknown): Fault {
  const code = codeOf(error);
  const text = (error as { readonly message?: string }).message;
  const said = text === undefined || text === '' ? code : text;
  if (code === '53100') {
    return new Fault('DISK_FULL', `The disk of the shared store's database is full: ${said}`, {
      hint: 'Free some space there, and do the same again. What was stored before is unharmed.',
      facts: { code },
      cause: error,
    });
  }
  return new Fault('STORE_UNREACHABLE', `The database of the shared store cannot be used: ${said}`, {
    hint: 'Check the address under `store`, that the server is up, and that the user may create a schema in the database.',
    facts: { code },
    cause: error,
  });
}

import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeFolder } from '../../lib/make-folder.ts';

import { Fault } from '../../core/model/fault.ts';
import { headIn, readHeadFile } from './head-file.ts';
import { HeadTable, refuseTruncated, truncated, type JournalHead } from './head.ts';
import { makeDatabase } from './make-database.ts';
import { APPLICATION_ID, FORMAT, schemaHash } from './schema.ts';
import { damaged } from '../refusal.ts';

/**
 * Opens `journal.db` for writing, or creates it if there was never one. It is first inspected through a read-only
 * connection: opening a damaged one for writing would fold its -wal file into it and destroy what could be saved.
 */
export function openDatabase(home: string): DatabaseSync {
  makeFolder(home, 0o700);
  // The anchor first: what it names must be in a database read later.
  const anchored = headIn(readHeadFile(home), home);
  if (!hasDatabase(home, anchored)) makeDatabase(databasePath(home));
  inspectDatabase(home, anchored);
  return connect(home);
}

/** Through a connection that cannot write; undefined where there was never a journal. */
export function openForInspection(home: string, anchored: JournalHead | null): DatabaseSync | undefined {
  return hasDatabase(home, anchored) ? openReadOnly(home) : undefined;
}

/** The anchor and the -wal file are created after the database, so if one of them exists, it must exist too. */
function hasDatabase(home: string, anchored: JournalHead | null): boolean {
  const hasLog = existsSync(`${databasePath(home)}-wal`);
  if (existsSync(databasePath(home))) return true;
  if (anchored !== null) throw truncated(home, anchored, null);
  if (hasLog) throw damaged(`${databasePath(home)} is gone; its -wal file is still there.`, { home });
  return false;
}

const databasePath = (home: string): string => join(home, 'journal.db');

const BUSY_TIMEOUT_MS = 10_000;

/** Throws unless it is a whole journal that this version can read. */
function inspectDatabase(home: string, anchored: JournalHead | null): void {
  const database = openReadOnly(home);
  try {
    refuseUnreadable(home, database);
    refuseTruncated(home, anchored, new HeadTable(database).read());
  } finally {
    database.close();
  }
}

function openReadOnly(home: string): DatabaseSync {
  const path = databasePath(home);
  // SQLite takes an empty file for an empty database.
  if (statSync(path).size === 0) throw damaged(`The database ${path} is empty.`, { home });
  return new DatabaseSync(path, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
}

/** A database of another program or a newer Troupe, or whose tables changed. */
export function refuseUnreadable(home: string, database: DatabaseSync): void {
  refuseForeign(home, database);
  refuseFormat(home, database);
  if (metaOf(database, 'schema') === schemaHash(database)) return;
  throw damaged(`The tables of the journal in ${home} are not as they were made.`, { home });
}

function refuseForeign(home: string, database: DatabaseSync): void {
  const id = database.prepare('PRAGMA application_id').get()?.['application_id'];
  if (id === APPLICATION_ID) return;
  throw new Fault('JOURNAL_FOREIGN', `${databasePath(home)} is a database, but not a journal of Troupe.`, {
    hint: 'Name another folder in TROUPE_HOME, or move that file away.',
    facts: { home },
  });
}

function refuseFormat(home: string, database: DatabaseSync): void {
  const format = Number(metaOf(database, 'format'));
  if (format === FORMAT) return;
  if (!Number.isInteger(format) || format < 1) throw damaged(`The journal in ${home} has no format number.`, { home });
  const facts = { home, format, known: FORMAT };
  if (format > FORMAT) {
    throw new Fault('JOURNAL_NEWER', `The journal in ${home} was written by a newer Troupe (format ${format}).`, {
      hint: 'Upgrade Troupe, or name another folder in TROUPE_HOME.',
      facts,
    });
  }
  throw new Fault('JOURNAL_OLDER', `The journal in ${home} was written by an older Troupe (format ${format}).`, {
    hint: 'This version cannot read it. Name another folder in TROUPE_HOME, or move journal.db and journal.head away.',
    facts,
  });
}

const metaOf = (database: DatabaseSync, key: 'format' | 'schema'): unknown =>
  database.prepare('SELECT value FROM meta WHERE key = ?').get(key)?.['value'];

function connect(home: string): DatabaseSync {
  const database = new DatabaseSync(databasePath(home), { timeout: BUSY_TIMEOUT_MS });
  try {
    const mode = database.prepare('PRAGMA journal_mode = WAL').get()?.['journal_mode'];
    if (mode !== 'wal') throw damaged(`The journal in ${home} is in mode ${String(mode)}.`, { home, mode });
    // NORMAL would lose accepted records in a power failure, and so would macOS without fullfsync.
    database.exec('PRAGMA synchronous = FULL; PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

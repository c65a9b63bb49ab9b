import type { FaultCode } from '../../core/codes/codes.ts';
import type { DatabaseSync } from 'node:sqlite';

import type { Fault, Problem } from '../../core/model/fault.ts';
import { rootRunId, runId } from '../../core/model/ids.ts';
import { damaged, SEE_DOCTOR } from '../refusal.ts';
import { atOneMoment } from './at-one-moment.ts';
import { openForInspection, refuseUnreadable } from './database-file.ts';
import { headIn, readHeadFile, type HeadFile } from './head-file.ts';
import { refuseTruncated, type JournalHead } from './head.ts';
import { headerOf, type StoredRun } from './run-table.ts';
import { toFault } from './sqlite-fault.ts';
import { createTables, type Tables } from './tables.ts';

/** Every problem of an open journal. Writes nothing. */
export function verifyJournal(home: string, database: DatabaseSync, tables: Tables): readonly Problem[] {
  const findings = new Findings(home);
  // The head file first: what it names must be in a database read later.
  const anchored = findings.try(() => headIn(readHeadFile(home), home)) ?? null;
  checkDatabase({ home, database, tables, anchored }, findings);
  return findings.problems();
}

/** Whether the journal is damaged, and not just of another version or program. */
export const isDamage = ({ code }: Problem): boolean => !OTHER_FORMAT.has(code);

const OTHER_FORMAT: ReadonlySet<string> = new Set<FaultCode>(['JOURNAL_OLDER', 'JOURNAL_NEWER', 'JOURNAL_FOREIGN']);

/** A journal on disk that may be too damaged to open. */
export interface JournalInspection {
  /** Problems of `journal.head` alone. */
  readonly headProblems: readonly Problem[];
  /** Problems of `journal.db`, alone or compared with `journal.head`. */
  readonly databaseProblems: readonly Problem[];
  readonly headFile: HeadFile | null;
  /** Null where the database is missing or cannot be read at all. */
  readonly database: CheckedDatabase | null;
}

export interface CheckedDatabase {
  /** The newest commit. */
  readonly head: JournalHead;
  readonly runs: number;
  /** Runs whose entries and records are all as they were written. */
  readonly wholeRuns: number;
  readonly records: number;
}

/** Checks everything the journal claims about itself. Writes nothing. */
export async function inspectJournal(home: string): Promise<JournalInspection> {
  const [ofHead, ofDatabase] = [new Findings(home), new Findings(home)];
  const headFile = ofHead.try(() => readHeadFile(home)) ?? null;
  const anchored = (headFile && ofHead.try(() => headIn(headFile, home))) ?? null;
  const database = ofDatabase.try(() => inspectDatabase(home, anchored, ofDatabase)) ?? null;
  return { headProblems: ofHead.problems(), databaseProblems: ofDatabase.problems(), headFile, database };
}

function inspectDatabase(home: string, anchored: JournalHead | null, findings: Findings): CheckedDatabase | null {
  const database = openForInspection(home, anchored);
  if (database === undefined) return null;
  try {
    refuseUnreadable(home, database);
    return checkDatabase({ home, database, tables: createTables(database), anchored }, findings);
  } finally {
    database.close();
  }
}

interface Checked {
  readonly home: string;
  readonly database: DatabaseSync;
  readonly tables: Tables;
  readonly anchored: JournalHead | null;
}

function checkDatabase({ home, database, tables, anchored }: Checked, findings: Findings): CheckedDatabase | null {
  return atOneMoment(database, () => {
    const head = findings.try(() => tables.head.read());
    if (head !== undefined) findings.try(() => refuseTruncated(home, anchored, head));
    findings.try(() => checkPages(database, findings));
    const whole = findings.try(() => checkRuns(database, tables, findings)) ?? [];
    findings.try(() => checkBodies(tables, findings));
    if (head === undefined) return null;
    return { head, runs: head.runs, wholeRuns: whole.length, records: sum(whole.map(({ seq }) => seq)) };
  });
}

/** Each fault once, however many checks meet it. */
class Findings {
  readonly #home: string;
  readonly #byMessage = new Map<string, Problem>();

  constructor(home: string) {
    this.#home = home;
  }

  /** The result of the check; undefined if it failed. */
  try<T>(check: () => T): T | undefined {
    try {
      return check();
    } catch (error) {
      this.add(toFault(error, this.#home));
      return undefined;
    }
  }

  add(fault: Fault): void {
    const { code, message } = fault;
    const hint = readablePart(fault) ?? (fault.hint === SEE_DOCTOR ? undefined : fault.hint);
    const problem: Problem = { code, message, severity: 'error', ...(hint === undefined ? {} : { hint }) };
    this.#byMessage.set(message, problem);
  }

  get count(): number {
    return this.#byMessage.size;
  }

  problems(): readonly Problem[] {
    return [...this.#byMessage.values()];
  }
}

/** A chain proves what comes before its first broken link. */
function readablePart({ facts }: Fault): string | undefined {
  const { seq, records } = facts;
  if (typeof seq !== 'number' || typeof records !== 'number') return undefined;
  const before = seq === 1 ? 'None of its records is certain' : `Its records before ${seq} are as they were written`;
  return `${before}; it has ${records}.`;
}

function checkPages(database: DatabaseSync, findings: Findings): void {
  for (const row of database.prepare('PRAGMA integrity_check').all()) {
    const text = String(row['integrity_check']);
    if (text !== 'ok') findings.add(damaged(`SQLite reports: ${text}.`, {}));
  }
}

/** Returns the runs of which everything can be read. */
function checkRuns(database: DatabaseSync, tables: Tables, findings: Findings): readonly StoredRun[] {
  const names = database.prepare('SELECT run FROM runs NOT INDEXED ORDER BY number').all();
  const rows = names
    .map(({ run }) => findings.try(() => listedRun(tables, String(run))))
    .filter((row) => row !== undefined);
  const whole = rows.filter((row) => isWhole(tables, row, findings));
  const head = tables.head.read();
  findings.try(() => [...tables.runs.newestFirst(head.runs)]);
  findings.try(() => tables.runs.addressed(head.addressed));
  // A run that cannot be read was already reported.
  if (rows.length < head.runs) return whole;
  findings.try(() => checkCount(database, 'records', sum(rows.map((row) => row.seq))));
  findings.try(() => checkCount(database, 'inbox', sum(rows.map((row) => row.sent))));
  return whole;
}

function isWhole(tables: Tables, row: StoredRun, findings: Findings): boolean {
  const before = findings.count;
  findings.try(() => tables.records.read(row, 0));
  findings.try(() => tables.inbox.check(row));
  findings.try(() => checkRelations(tables, row));
  return findings.count === before;
}

function checkRelations(tables: Tables, row: StoredRun): void {
  const { run } = headerOf(row);
  tables.runs.related('children', run, row.children);
  tables.runs.related('forks', run, row.forks);
  if (rootRunId(run) === run) tables.runs.related('below', run, row.below);
}

function listedRun(tables: Tables, run: string): StoredRun {
  const row = tables.runs.find(runId(run));
  if (row === undefined) throw damaged(`The index no longer finds run ${run}.`, { run });
  return row;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

function checkCount(database: DatabaseSync, table: 'records' | 'inbox', expected: number): void {
  const found = database.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.['count'];
  if (found === expected) return;
  throw damaged(`The runs account for ${expected} rows of ${table}, there are ${String(found)}.`, {
    table,
    expected,
    found,
  });
}

function checkBodies(tables: Tables, findings: Findings): void {
  for (const hash of tables.bodies.damaged()) findings.add(damaged(`The body ${hash} is damaged.`, { hash }));
}

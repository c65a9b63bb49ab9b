import type { DatabaseSync } from 'node:sqlite';

import type { Fault, Problem } from '../../core/fault.ts';
import { runId } from '../../core/ids.ts';
import { atOneMoment } from './at-one-moment.ts';
import { openForInspection, refuseUnreadable } from './database-file.ts';
import { readAnchor } from './head-anchor.ts';
import { refuseTruncated } from './head.ts';
import { headerOf, type RunRow } from './run-table.ts';
import { damaged, toFault } from './sqlite-fault.ts';
import { createTables, type Tables } from './tables.ts';

/** Checks everything the journal claims about itself and lists what does not hold. Writes nothing. */
export function verifyJournal(home: string, database: DatabaseSync, tables: Tables): readonly Problem[] {
  const findings = new Findings(home);
  // The anchor first: what it names must be in a database read later.
  const anchored = findings.try(() => readAnchor(home)) ?? null;
  return atOneMoment(database, () => {
    findings.try(() => refuseTruncated(home, anchored, tables.head.read()));
    findings.try(() => checkPages(database, findings));
    findings.try(() => checkRuns(database, tables, findings));
    findings.try(() => checkBodies(tables, findings));
    return findings.problems();
  });
}

/** The same for a journal that may be too damaged to be opened. */
export async function verifySqliteHome(home: string): Promise<readonly Problem[]> {
  const findings = new Findings(home);
  const database = findings.try(() => openForInspection(home));
  if (database === undefined) return findings.problems();
  try {
    const tables = findings.try(() => {
      refuseUnreadable(home, database);
      return createTables(database);
    });
    return tables === undefined ? findings.problems() : verifyJournal(home, database, tables);
  } finally {
    database.close();
  }
}

/** Each fault once, however many checks meet it. */
class Findings {
  readonly #home: string;
  readonly #byMessage = new Map<string, Problem>();

  constructor(home: string) {
    this.#home = home;
  }

  try<T>(check: () => T): T | undefined {
    try {
      return check();
    } catch (error) {
      this.add(toFault(error, this.#home));
      return undefined;
    }
  }

  add({ code, message, hint }: Fault): void {
    const problem: Problem = { code, message, severity: 'error', ...(hint === undefined ? {} : { hint }) };
    this.#byMessage.set(message, problem);
  }

  problems(): readonly Problem[] {
    return [...this.#byMessage.values()];
  }
}

function checkPages(database: DatabaseSync, findings: Findings): void {
  for (const row of database.prepare('PRAGMA integrity_check').all()) {
    const text = String(row['integrity_check']);
    if (text !== 'ok') findings.add(damaged(`SQLite reports: ${text}.`, {}));
  }
}

function checkRuns(database: DatabaseSync, tables: Tables, findings: Findings): void {
  const names = database.prepare('SELECT run FROM runs NOT INDEXED ORDER BY number').all();
  const rows = names
    .map(({ run }) => findings.try(() => listedRun(tables, String(run))))
    .filter((row) => row !== undefined);
  for (const row of rows) {
    findings.try(() => tables.records.read(row, 0));
    findings.try(() => tables.inbox.check(row));
    findings.try(() => checkRelations(tables, row));
  }
  const head = tables.head.read();
  findings.try(() => [...tables.runs.newestFirst(head.runs)]);
  findings.try(() => tables.runs.addressed(head.addressed));
  // A run that cannot be read accounts for nothing, and was told already.
  if (rows.length < head.runs) return;
  findings.try(() => checkCount(database, 'records', sum(rows.map((row) => row.seq))));
  findings.try(() => checkCount(database, 'inbox', sum(rows.map((row) => row.sent))));
}

function checkRelations(tables: Tables, row: RunRow): void {
  const { run } = headerOf(row);
  tables.runs.related('children', run, row.children);
  tables.runs.related('forks', run, row.forks);
}

function listedRun(tables: Tables, run: string): RunRow {
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

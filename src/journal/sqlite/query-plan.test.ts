import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { runId } from '../../core/model/ids.ts';
import { openSqliteJournal } from './sqlite-journal.ts';
import { createTables } from './tables.ts';
import { sampleRun } from './testing/sample.ts';
import { temporaryHome } from './testing/temporary-home.ts';

let home: string;
let dispose: () => void;

beforeEach(async () => {
  ({ home, dispose } = temporaryHome());
  const journal = await openSqliteJournal({ home });
  await journal.create(sampleRun('a'), 'host');
  await journal.create({ ...sampleRun('a/1'), parent: runId('a') }, 'host');
  await journal.create({ ...sampleRun('b'), forkedFrom: runId('a') }, 'host');
  await journal.close();
});
afterEach(() => dispose());

/** The statements that read a whole table on purpose. */
const WHOLE = [/FROM runs NOT INDEXED ORDER BY number DESC$/, /FROM bodies NOT INDEXED$/, /INDEXED BY addressed/];

test('[L2] every statement of the journal finds its rows by a key or an index', () => {
  const database = new RecordingDatabase(join(home, 'journal.db'));
  createTables(database);
  const lookups = [...database.prepared].filter(
    (sql) => !sql.startsWith('INSERT') && !WHOLE.some((one) => one.test(sql)),
  );
  expect(lookups.length).toBeGreaterThan(10);
  const plans = lookups.map((sql) => [sql, planOf(database, sql)] as const);
  database.close();
  expect(plans.filter(([, plan]) => !plan.startsWith('SEARCH') || plan.includes('TEMP B-TREE'))).toEqual([]);
  expect(plans.find(([sql]) => sql.includes('WHERE parent'))?.[1]).toContain('USING INDEX children (parent=?)');
  expect(plans.find(([sql]) => sql.includes('WHERE fork_of'))?.[1]).toContain('USING INDEX forks (fork_of=?)');
  expect(plans.find(([sql]) => sql.includes('WHERE run >='))?.[1]).toMatch(
    /INDEX sqlite_autoindex_runs_1 \(run>\? AND run<\?\)/,
  );
  expect(plans.find(([sql]) => sql.includes('WHERE run_key'))?.[1]).toContain('USING INDEX keys (run_key=?)');
});

test('[J4] an index that lost a run is a fault, whichever of them it is', async () => {
  const lose = (index: string): void => {
    const database = new DatabaseSync(join(home, 'journal.db'));
    const root = database.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').get(index)?.['rootpage'];
    const size = Number(database.prepare('PRAGMA page_size').get()?.['page_size']);
    database.close();
    const bytes = readFileSync(join(home, 'journal.db'));
    // The number of cells on the page.
    bytes.writeUInt16BE(0, (Number(root) - 1) * size + 3);
    writeFileSync(join(home, 'journal.db'), bytes);
  };
  const whole = readFileSync(join(home, 'journal.db'));
  const look = async (index: string, filter: { parent?: string; forkedFrom?: string; root?: string; run?: string }) => {
    writeFileSync(join(home, 'journal.db'), whole);
    lose(index);
    const journal = await openSqliteJournal({ home });
    const { run, ...related } = filter;
    try {
      await (run === undefined ? journal.runs(related as never) : journal.run(runId(run)));
    } finally {
      await journal.close().catch(() => undefined);
    }
  };
  await expect(look('sqlite_autoindex_runs_1', { run: 'a' })).rejects.toMatchObject({ code: 'JOURNAL_DAMAGED' });
  await expect(look('sqlite_autoindex_runs_1', { root: 'a' })).rejects.toMatchObject({ code: 'JOURNAL_DAMAGED' });
  await expect(look('children', { parent: 'a' })).rejects.toMatchObject({ code: 'JOURNAL_DAMAGED' });
  await expect(look('forks', { forkedFrom: 'a' })).rejects.toMatchObject({ code: 'JOURNAL_DAMAGED' });
  await expect(look('keys', { run: 'a' })).resolves.toBeUndefined();
});

class RecordingDatabase extends DatabaseSync {
  readonly prepared: string[] = [];

  override prepare(sql: string): StatementSync {
    this.prepared.push(sql);
    return super.prepare(sql);
  }
}

function planOf(database: DatabaseSync, sql: string): string {
  return database
    .prepare(`EXPLAIN QUERY PLAN ${sql}`)
    .all()
    .map((row) => String(row['detail']))
    .join('; ');
}

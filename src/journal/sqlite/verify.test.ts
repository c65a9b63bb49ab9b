import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { runId } from '../../core/model/ids.ts';
import { openSqliteJournal } from './sqlite-journal.ts';
import { sampleBatch, sampleRun } from './testing/sample.ts';
import { temporaryHome } from './testing/temporary-home.ts';
import { problemsIn } from './testing/problems-in.ts';

let home: string;
let dispose: () => void;

beforeEach(async () => {
  ({ home, dispose } = temporaryHome());
  const journal = await openSqliteJournal({ home });
  for (const name of ['a', 'b', 'c']) {
    const lease = await journal.create(sampleRun(name), 'host');
    await journal.append(lease, sampleBatch(name, 1, 5));
    await journal.send(lease.run, { id: 'm', at: 1, body: 'hello' });
  }
  await journal.putBody('a body');
  await journal.close();
});
afterEach(() => dispose());

const change = (sql: string): void => {
  const database = new DatabaseSync(join(home, 'journal.db'));
  database.exec(sql);
  database.close();
};

/** What both ways of checking find; they must agree. */
const findings = async (): Promise<readonly string[]> => {
  const journal = await openSqliteJournal({ home });
  const problems = await journal.verify();
  await journal.close();
  expect(await problemsIn(home)).toEqual(problems);
  return problems.map((problem) => problem.message);
};

test('[J4] a whole journal has no problems', async () => {
  expect(await findings()).toEqual([]);
});

test('[J4] each damaged place is listed once, and one does not hide another', async () => {
  change('UPDATE records SET at = 5 WHERE place = (SELECT place FROM records ORDER BY place LIMIT 1 OFFSET 6)');
  change('UPDATE inbox SET consumed = 1 WHERE place = (SELECT max(place) FROM inbox)');
  change('UPDATE bodies SET body = \'"another"\'');
  change("UPDATE runs SET header = replace(header, 'title', 'TITLE') WHERE run = 'a'");
  expect(await findings()).toEqual([
    'The entry of run a is damaged.',
    'Record 2 of run b is damaged.',
    'A message to run c is damaged or missing.',
    expect.stringMatching(/^The body [0-9a-f]{64} is damaged\.$/),
  ]);
});

test('[J4] records cut from the end, and records without an entry, are found', async () => {
  change('DELETE FROM records WHERE place = (SELECT max(place) FROM records)');
  expect(await findings()).toContain('Record 5 of run c is damaged.');
  change('INSERT INTO records SELECT place + 1000, at, body, hash, stamp FROM records');
  expect(await findings()).toContainEqual(expect.stringContaining('rows of records'));
});

test('[J4] [J8] a changed commit number is found, and never read', async () => {
  change('UPDATE records SET stamp = stamp + 65536 WHERE place = (SELECT max(place) FROM records)');
  expect(await findings()).toEqual(['Record 5 of run c is damaged.']);
  const journal = await openSqliteJournal({ home });
  await expect(journal.read(runId('c'), 4)).rejects.toMatchObject({ code: 'JOURNAL_DAMAGED' });
  await expect(journal.tree(runId('c'))).rejects.toMatchObject({ code: 'JOURNAL_DAMAGED' });
  await journal.close();
});

test('[J4] a run that vanished is found, and its siblings can still be read', async () => {
  change("DELETE FROM runs WHERE run = 'b'");
  expect(await findings()).toContainEqual(expect.stringContaining('run number 2 is missing'));
  const journal = await openSqliteJournal({ home });
  await expect(journal.runs()).rejects.toMatchObject({ code: 'JOURNAL_DAMAGED' });
  // Every index lost it with its row: to miss it, a single look-up would have to count all rows.
  expect(await journal.run(runId('b'))).toBeUndefined();
  expect(await journal.read(runId('c'))).toHaveLength(5);
  await journal.close();
});

test('[J4] a damaged or lost anchor: the first is a problem, without the second the database speaks for itself', async () => {
  writeFileSync(join(home, 'journal.head'), 'nonsense');
  expect(await problemsIn(home)).toMatchObject([{ code: 'JOURNAL_DAMAGED', severity: 'error' }]);
  rmSync(join(home, 'journal.head'));
  expect(await findings()).toEqual([]);
});

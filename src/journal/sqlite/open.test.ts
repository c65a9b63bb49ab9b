import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { runId } from '../../core/model/ids.ts';
import { openSqliteJournal } from './sqlite-journal.ts';
import { sampleBatch, sampleRun } from './testing/sample.ts';
import { temporaryHome } from './testing/temporary-home.ts';
import { tinyDisk } from './testing/tiny-disk.ts';
import { FORMAT } from './schema.ts';
import { problemsIn } from './testing/problems-in.ts';

let home: string;
let dispose: () => void;

beforeEach(() => {
  ({ home, dispose } = temporaryHome());
});
afterEach(() => dispose());

const makeJournal = async (): Promise<void> => {
  const journal = await openSqliteJournal({ home });
  await journal.create(sampleRun('a'), 'host');
  await journal.close();
};

/** What another program, or another version, may have done to the file. */
const changeDatabase = (sql: string): void => {
  const database = new DatabaseSync(join(home, 'journal.db'));
  database.exec(sql);
  database.close();
};

test('[L2] the home is made for this user alone, and holds one database and its anchor once closed', async () => {
  home = join(home, 'deep', 'down');
  await makeJournal();
  expect(readdirSync(home).sort()).toEqual(['journal.db', 'journal.head', 'journal.reserve']);
  expect(statSync(home).mode & 0o777).toBe(0o700);
  for (const name of readdirSync(home)) expect(statSync(join(home, name)).mode & 0o777).toBe(0o600);
});

test('[L6] the database waits for the disk at every commit', async () => {
  await makeJournal();
  const header = readFileSync(join(home, 'journal.db')).subarray(18, 20);
  // Both format bytes say 2: write-ahead logging.
  expect([...header]).toEqual([2, 2]);
});

test('[L2] a journal of a newer Troupe is left alone', async () => {
  await makeJournal();
  changeDatabase(`UPDATE meta SET value = '${FORMAT + 1}' WHERE key = 'format'`);
  const before = readFileSync(join(home, 'journal.db'));
  await expect(openSqliteJournal({ home })).rejects.toMatchObject({
    code: 'JOURNAL_NEWER',
    hint: expect.stringContaining('Upgrade'),
    facts: { format: FORMAT + 1, known: FORMAT },
  });
  expect(readFileSync(join(home, 'journal.db'))).toEqual(before);
  expect(await problemsIn(home)).toMatchObject([{ code: 'JOURNAL_NEWER' }]);
  changeDatabase("UPDATE meta SET value = '1' WHERE key = 'format'");
  await expect(openSqliteJournal({ home })).rejects.toMatchObject({ code: 'JOURNAL_OLDER' });
});

test('[L2] a database of something else is left alone', async () => {
  changeDatabase('CREATE TABLE recipes (name TEXT)');
  const before = readFileSync(join(home, 'journal.db'));
  await expect(openSqliteJournal({ home })).rejects.toMatchObject({ code: 'JOURNAL_FOREIGN' });
  expect(readFileSync(join(home, 'journal.db'))).toEqual(before);
});

test('[J4] a file that is no database, and one that is empty, are faults and stay as they are', async () => {
  for (const content of ['This was a journal once. '.repeat(400), '']) {
    writeFileSync(join(home, 'journal.db'), content);
    await expect(openSqliteJournal({ home })).rejects.toMatchObject({ code: 'JOURNAL_DAMAGED' });
    expect(readFileSync(join(home, 'journal.db'), 'utf8')).toBe(content);
  }
});

test('[J4] tables changed by another program are a fault', async () => {
  await makeJournal();
  changeDatabase('DROP INDEX addressed');
  await expect(openSqliteJournal({ home })).rejects.toMatchObject({ code: 'JOURNAL_DAMAGED' });
});

test('[L3] a home that cannot be made or written is reported as such', async () => {
  writeFileSync(join(home, 'file'), '');
  for (const impossible of [join(home, 'file'), join(home, 'file', 'below')]) {
    await expect(openSqliteJournal({ home: impossible })).rejects.toMatchObject({
      code: 'HOME_UNWRITABLE',
      hint: expect.stringContaining('TROUPE_HOME'),
    });
  }
});

test('[L3] a read-only home is reported as such', async () => {
  const disk = tinyDisk(home);
  try {
    const there = join(home, 'there');
    await (await openSqliteJournal({ home: there })).close();
    await expect(openSqliteJournal({ home: disk.readOnly(there) })).rejects.toMatchObject({ code: 'HOME_UNWRITABLE' });
  } finally {
    disk.dispose();
  }
});

test('[L2] two openings of a new home at the same moment make one journal', async () => {
  const journals = await Promise.all([openSqliteJournal({ home }), openSqliteJournal({ home })]);
  const [first, second] = journals;
  const lease = await first.create(sampleRun('a'), 'host');
  await second.create(sampleRun('b'), 'host');
  await first.append(lease, sampleBatch('a', 1, 2));
  expect(await second.read(runId('a'))).toHaveLength(2);
  expect(await first.runs()).toHaveLength(2);
  await Promise.all(journals.map((journal) => journal.close()));
  expect(await problemsIn(home)).toEqual([]);
});

test('[J1] closing waits for pending writes, and afterwards nothing is accepted', async () => {
  const journal = await openSqliteJournal({ home });
  const lease = await journal.create(sampleRun('a'), 'host');
  const sent = journal.append(lease, sampleBatch('a', 1, 3));
  const closed = Promise.all([journal.close(), journal.close()]);
  await Promise.all([sent, closed]);
  for (const ask of [
    () => journal.append(lease, sampleBatch('a', 4, 1)),
    () => journal.runs(),
    () => journal.verify(),
  ]) {
    await expect(ask()).rejects.toMatchObject({ code: 'JOURNAL_CLOSED' });
  }
  expect(() => journal.onChange(() => {})).toThrow('closed');
  const again = await openSqliteJournal({ home });
  expect(await again.read(runId('a'))).toHaveLength(3);
  await again.close();
});

test('[L3] without a journal the check reports that, and creates none', async () => {
  expect(await problemsIn(home)).toEqual([]);
  expect(existsSync(join(home, 'journal.db'))).toBe(false);
});

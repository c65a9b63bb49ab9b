import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { planRepair, repairHead, type HeadRepair, type RepairPlan } from './repair.ts';
import { openSqliteJournal } from './sqlite-journal.ts';
import { everythingIn, sampleBatch, sampleRun } from './testing/sample.ts';
import { temporaryHome } from './testing/temporary-home.ts';

let home: string;
let dispose: () => void;
let head: string;
let headBytes: Buffer;
let written: unknown;
let repairs = 0;

beforeEach(async () => {
  ({ home, dispose } = temporaryHome());
  head = join(home, 'journal.head');
  await write(['a', 'b', 'c']);
  written = await everything();
  headBytes = readFileSync(head);
});
afterEach(() => dispose());

test('[J4] a head cut at any byte is refused with the way out, and the repair gives back every record', async () => {
  const before = databaseBytes();
  for (let length = 1; length < headBytes.length; length += 1) {
    writeFileSync(head, headBytes.subarray(0, length));
    await expect(openSqliteJournal({ home })).rejects.toMatchObject({
      code: 'JOURNAL_DAMAGED',
      message: `The file ${head} is half written: ${length} of ${headBytes.length} bytes.`,
      hint: expect.stringContaining('troupe doctor --repair'),
    });
    const plan = await repaired();
    expect(readFileSync(head)).toEqual(headBytes);
    expect(readFileSync(join(home, plan.keepAs ?? ''))).toEqual(headBytes.subarray(0, length));
  }
  expect(databaseBytes()).toEqual(before);
  expect(await everything()).toEqual(written);
});

test('[J4] whatever the head contains, every written record can be read after the repair', async () => {
  const content = fc.oneof(
    fc.uint8Array({ minLength: 1, maxLength: 300 }),
    fc.integer({ min: 1, max: 200 }).map((length) => new Uint8Array(length)),
    fc.record({ at: fc.nat(headBytes.length - 1), bit: fc.nat(7) }).map(({ at, bit }) => flipped(at, bit)),
    fc.nat(headBytes.length - 1).map((from) => new Uint8Array(headBytes).fill(0, from)),
    fc.uint8Array({ minLength: 1, maxLength: 9 }).map((more) => Buffer.concat([headBytes, more])),
  );
  const property = fc.asyncProperty(content, async (bytes) => {
    writeFileSync(head, bytes);
    const plan = await repaired();
    expect(readFileSync(join(home, plan.keepAs ?? ''))).toEqual(Buffer.from(bytes));
    expect(readFileSync(head)).toEqual(headBytes);
  });
  await fc.assert(property, { numRuns: 60 });
  expect(await everything()).toEqual(written);
});

test('[J4] a missing head is written again, and a folder in its place is kept under another name', async () => {
  rmSync(head);
  expect(await repaired()).toMatchObject({ problem: 'journal.head is missing.', keepAs: null, isProven: false });
  expect(readFileSync(head)).toEqual(headBytes);
  rmSync(head);
  mkdirSync(join(head, 'inside'), { recursive: true });
  await expect(openSqliteJournal({ home })).rejects.toMatchObject({ message: `The file ${head} is not a file.` });
  const { keepAs } = await repaired();
  expect(readdirSync(join(home, keepAs ?? ''))).toEqual(['inside']);
  expect(await everything()).toEqual(written);
});

test('[J4] a whole journal, and a home without one, need no repair', async () => {
  expect(await planned()).toEqual({ kind: 'nothing' });
  const empty = temporaryHome();
  expect(await planRepair(empty.home, new Date())).toEqual({ kind: 'nothing' });
  empty.dispose();
});

test('[J4] an older copy of the database is named as that and not accepted, even where the head is cut', async () => {
  const older = join(home, 'older.db');
  copyFileSync(join(home, 'journal.db'), older);
  await write(['d']);
  const newer = readFileSync(head);
  copyFileSync(older, join(home, 'journal.db'));
  for (const bytes of [newer, newer.subarray(0, -1), newer.subarray(0, 40)]) {
    writeFileSync(head, bytes);
    expect(await planned()).toMatchObject({
      kind: 'refused',
      database: { runs: 3, wholeRuns: 3 },
      problems: expect.arrayContaining([
        expect.objectContaining({
          code: 'JOURNAL_TRUNCATED',
          message: expect.stringMatching(/ends with commit 9, but commit 12 was accepted: journal.db is an older copy/),
        }),
      ]),
    });
  }
});

test('[J4] a head of another journal is named as that and not accepted', async () => {
  const other = temporaryHome();
  await write(['x', 'y', 'z'], other.home);
  copyFileSync(join(other.home, 'journal.head'), head);
  other.dispose();
  expect(await planned()).toMatchObject({
    kind: 'refused',
    problems: [{ code: 'JOURNAL_TRUNCATED', message: expect.stringContaining('belong to different journals') }],
  });
});

test('[J4] a broken chain is named with what still holds, and nothing is changed', async () => {
  change('UPDATE records SET at = 5 WHERE place = (SELECT place FROM records ORDER BY place LIMIT 1 OFFSET 7)');
  writeFileSync(head, headBytes.subarray(0, 30));
  const before = [databaseBytes(), readFileSync(head), ownFiles()];
  expect(await planned()).toMatchObject({
    kind: 'refused',
    isHeadDamaged: true,
    database: { runs: 3, wholeRuns: 2 },
    problems: [
      { message: expect.stringContaining('half written') },
      { message: 'Record 3 of run b is damaged.', hint: expect.stringContaining('before 3 are as they were written') },
    ],
  });
  expect([databaseBytes(), readFileSync(head), ownFiles()]).toEqual(before);
});

test('[J4] a cut database and one that is gone are named, and nothing is changed', async () => {
  truncateSync(join(home, 'journal.db'), 20_000);
  const before = databaseBytes();
  expect(await planned()).toMatchObject({ kind: 'refused' });
  expect(databaseBytes()).toEqual(before);
  for (const name of ['journal.db', 'journal.db-wal', 'journal.db-shm']) rmSync(join(home, name), { force: true });
  expect(await planned()).toMatchObject({ kind: 'refused', database: null, problems: [{ code: 'JOURNAL_TRUNCATED' }] });
  writeFileSync(head, 'nonsense');
  expect(await planned()).toMatchObject({ kind: 'refused', database: null, problems: [{ code: 'JOURNAL_DAMAGED' }] });
  expect(ownFiles()).toEqual(['journal.head']);
});

test('[J4] a head that another process wrote meanwhile is left alone', async () => {
  writeFileSync(head, 'nonsense');
  const plan = await planned();
  writeFileSync(head, headBytes);
  expect(() => repairHead(home, plan as HeadRepair)).toThrow('changed by another process');
  expect(readFileSync(head)).toEqual(headBytes);
});

const planned = (): Promise<RepairPlan> => {
  repairs += 1;
  return planRepair(home, new Date(repairs));
};

async function repaired(): Promise<HeadRepair> {
  const plan = await planned();
  expect(plan).toMatchObject({ kind: 'head', database: { runs: 3, wholeRuns: 3, records: 15 } });
  repairHead(home, plan as HeadRepair);
  return plan as HeadRepair;
}

async function write(names: readonly string[], to = home): Promise<void> {
  const journal = await openSqliteJournal({ home: to });
  for (const name of names) {
    const lease = await journal.create(sampleRun(name), 'host', sampleBatch(name, 1, 5));
    await journal.send(lease.run, { id: 'm', at: 1, body: 'hello' });
    await journal.release(lease);
  }
  await journal.close();
}

async function everything(): Promise<unknown> {
  const journal = await openSqliteJournal({ home });
  const all = await everythingIn(journal);
  await journal.close();
  return all;
}

function change(sql: string): void {
  const database = new DatabaseSync(join(home, 'journal.db'));
  database.exec(sql);
  database.close();
}

function flipped(at: number, bit: number): Uint8Array {
  const bytes = new Uint8Array(headBytes);
  bytes[at] = (bytes[at] ?? 0) ^ (1 << bit);
  return bytes;
}

/** Without the files that SQLite makes when it opens a database to read, and the kept space. */
const ownFiles = (): readonly string[] => readdirSync(home).filter((name) => !/-(?:shm|wal)$|\.reserve$/.test(name));

const databaseBytes = (): Buffer => readFileSync(join(home, 'journal.db'));

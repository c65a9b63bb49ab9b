import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';

import type { JournalRecord } from '../../core/record/fact.ts';
import { runId, taskId } from '../../core/model/ids.ts';
import type { Batch } from '../port.ts';
import { contents } from '../testing/under-test.ts';
import { openSqliteJournal } from './sqlite-journal.ts';
import { sampleBatch, sampleRun } from './testing/sample.ts';
import { temporaryHome } from './testing/temporary-home.ts';

let home: string;
let dispose: () => void;

beforeEach(() => {
  ({ home, dispose } = temporaryHome());
});
afterEach(() => dispose());

const one = (record: JournalRecord): Batch => ({ records: [record], summary: { status: 'running', outcome: null } });

const toolRecord = (seq: number, content: string): JournalRecord => ({
  seq,
  at: 1,
  fact: { kind: 'tool.finished', task: taskId('t'), toolCall: 'c', content, isError: false, ms: 1 },
});

/** One value of the closed journal's database. */
const ask = (sql: string): unknown => {
  const database = new DatabaseSync(join(home, 'journal.db'), { readOnly: true });
  try {
    return Object.values(database.prepare(sql).get() ?? {})[0];
  } finally {
    database.close();
  }
};

test('[L2] the journal grows linearly with its content', async () => {
  const bytesAfter = async (records: number): Promise<number> => {
    const journal = await openSqliteJournal({ home });
    const run = runId('a');
    const lease = (await journal.run(run))
      ? await journal.lease(run, 'host')
      : await journal.create(sampleRun('a'), 'host');
    const { seq } = (await journal.run(run)) ?? { seq: 0 };
    for (let first = seq + 1; first <= records; first += 50) await journal.append(lease, sampleBatch('a', first, 50));
    await journal.close();
    return statSync(join(home, 'journal.db')).size;
  };
  const [small, middle, large] = [await bytesAfter(1000), await bytesAfter(2000), await bytesAfter(4000)];
  const perRecord = (middle - small) / 1000;
  expect((large - middle) / 2000 / perRecord).toBeGreaterThan(0.9);
  expect((large - middle) / 2000 / perRecord).toBeLessThan(1.1);
});

test('[H6] [J5] a large record is stored once among the bodies and comes back as it was', async () => {
  const journal = await openSqliteJournal({ home });
  const lease = await journal.create(sampleRun('a'), 'host');
  const content = 'x'.repeat(100_000);
  const sizes = [64, 50_000, 65_000, 65_536, 200_000];
  const records = [...sizes.map((size, index) => toolRecord(index + 1, 'y'.repeat(size))), toolRecord(6, content)];
  for (const record of [...records, toolRecord(7, content), toolRecord(8, content)])
    await journal.append(lease, one(record));
  expect(await contents(journal.read(runId('a')))).toEqual([
    ...records,
    toolRecord(7, content),
    toolRecord(8, content),
  ]);
  await journal.close();
  expect(ask('SELECT count(*) FROM bodies')).toBe(3);
  expect(ask('SELECT max(length(body)) FROM records')).toBeLessThanOrEqual(64 * 1024);
});

test('[J1] all writes of one turn share one commit', async () => {
  const journal = await openSqliteJournal({ home });
  const names = Array.from({ length: 20 }, (_, index) => `run-${index}`);
  const leases = await Promise.all(names.map((name) => journal.create(sampleRun(name), 'host')));
  await Promise.all([
    ...leases.map((lease) => journal.append(lease, sampleBatch(lease.run, 1, 4))),
    ...leases.map((lease) => journal.send(lease.run, { id: 'm', at: 1, body: null })),
    journal.putBody('a body'),
  ]);
  await journal.close();
  expect(ask('SELECT number FROM head')).toBe(2);
});

test('[J1] a turn in which everything was refused, or changed nothing, commits nothing', async () => {
  const journal = await openSqliteJournal({ home });
  const lease = await journal.create(sampleRun('a'), 'host');
  await journal.putBody('a body');
  await journal.putBody('a body');
  await Promise.allSettled([journal.append(lease, sampleBatch('a', 9, 1)), journal.create(sampleRun('a'), 'host')]);
  await journal.close();
  expect(ask('SELECT number FROM head')).toBe(2);
});

import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { runId } from '../../core/model/ids.ts';
import { contents } from '../testing/under-test.ts';
import { openDatabase } from './database-file.ts';
import { journalOn, openSqliteJournal, type SqliteJournal } from './sqlite-journal.ts';
import { sampleBatch, sampleRecords, sampleRun } from './testing/sample.ts';
import { homesOnTinyDisks } from './testing/tiny-disk.ts';

const place = homesOnTinyDisks();

test('[J1] [L3] a full disk refuses the batch whole, the journal stays readable and continues when there is space', async () => {
  const { journal, free } = await almostFull();
  const run = runId('a');
  const lease = await journal.create(sampleRun('a'), 'host');
  let seq = 0;
  const fault = await appendUntilItFails(journal, (count) => {
    seq += count;
    return journal.append(lease, sampleBatch('a', seq - count + 1, count));
  });
  seq -= 20;
  expect(fault).toMatchObject({ code: 'JOURNAL_FULL', hint: expect.stringContaining('space') });
  expect(await contents(journal.read(run))).toEqual(sampleRecords('a', 1, seq));
  expect(await journal.run(run)).toMatchObject({ seq });
  free();
  await journal.append(lease, sampleBatch('a', seq + 1, 20));
  expect(await contents(journal.read(run))).toEqual(sampleRecords('a', 1, seq + 20));
  expect(await journal.verify()).toEqual([]);
  await journal.close();
  const again = await openSqliteJournal({ home: place.home });
  expect(await contents(again.read(run))).toEqual(sampleRecords('a', 1, seq + 20));
  await again.close();
});

async function appendUntilItFails(journal: SqliteJournal, append: (count: number) => Promise<void>): Promise<unknown> {
  for (let batch = 0; batch < 1000; batch += 1) {
    try {
      await append(20);
    } catch (error) {
      return error;
    }
  }
  await journal.close();
  return undefined;
}

/** On a small disk with a ballast to drop, or where none can be mounted with a limit that SQLite keeps itself. */
async function almostFull(): Promise<{ readonly journal: SqliteJournal; readonly free: () => void }> {
  if (place.disk.isMounted) {
    const ballast = join(place.home, 'ballast');
    writeFileSync(ballast, Buffer.alloc(512 * 1024));
    return { journal: await openSqliteJournal({ home: place.home }), free: () => rmSync(ballast) };
  }
  const database = openDatabase(place.home);
  database.exec('PRAGMA max_page_count = 60');
  return {
    journal: journalOn(database, { home: place.home }),
    free: () => database.exec('PRAGMA max_page_count = 6000'),
  };
}

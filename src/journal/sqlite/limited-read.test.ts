import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { runId } from '../../core/model/ids.ts';
import { contents } from '../testing/under-test.ts';
import { openSqliteJournal } from './sqlite-journal.ts';
import { sampleBatch, sampleRecords, sampleRun } from './testing/sample.ts';
import { temporaryHome } from './testing/temporary-home.ts';

const RUN = runId('a');

/** A journal of twenty records whose record 11 was changed behind its back. */
async function damagedHome(): Promise<{ readonly home: string; readonly dispose: () => void }> {
  const { home, dispose } = temporaryHome();
  const journal = await openSqliteJournal({ home });
  const lease = await journal.create(sampleRun('a'), 'host');
  await journal.append(lease, sampleBatch('a', 1, 20));
  await journal.close();
  const database = new DatabaseSync(join(home, 'journal.db'));
  database.exec(`UPDATE records SET body = replace(body, 'a 11 ', 'a 12 ')`);
  database.close();
  return { home, dispose };
}

test('[J4] [WL3] a page is checked as far as it goes: before the damage it is whole, with it a fault, after it whole again', async () => {
  const { home, dispose } = await damagedHome();
  const journal = await openSqliteJournal({ home });
  try {
    expect(await contents(journal.read(RUN, 0, 10))).toEqual(sampleRecords('a', 1, 10));
    await expect(journal.read(RUN, 0, 11)).rejects.toMatchObject({ code: 'JOURNAL_DAMAGED', facts: { seq: 11 } });
    await expect(journal.read(RUN, 10, 1)).rejects.toMatchObject({ code: 'JOURNAL_DAMAGED' });
    await expect(journal.read(RUN)).rejects.toMatchObject({ code: 'JOURNAL_DAMAGED' });
    expect(await contents(journal.read(RUN, 11, 99))).toEqual(sampleRecords('a', 12, 9));
  } finally {
    await journal.close();
    dispose();
  }
});

test('[J4] [WL3] a page that lacks a record is a fault, never a shorter page', async () => {
  const { home, dispose } = await damagedHome();
  const database = new DatabaseSync(join(home, 'journal.db'));
  database.exec(`DELETE FROM records WHERE place IN (SELECT place FROM records ORDER BY place LIMIT 1 OFFSET 4)`);
  database.close();
  const journal = await openSqliteJournal({ home });
  try {
    expect(await journal.read(RUN, 0, 4)).toHaveLength(4);
    await expect(journal.read(RUN, 0, 5)).rejects.toMatchObject({ code: 'JOURNAL_DAMAGED', facts: { seq: 5 } });
    await expect(journal.read(RUN, 3, 2)).rejects.toMatchObject({ code: 'JOURNAL_DAMAGED' });
  } finally {
    await journal.close();
    dispose();
  }
});

import { openSqliteJournal } from '../../src/journal/sqlite/sqlite-journal.ts';
import { report, settings } from '../harness/report.ts';
import { WebRun } from './web-run.ts';

/** A journal of so many runs with so many records each, all over. */
const { home, runs, records } = settings() as { home: string; runs: number; records: number };

const journal = await openSqliteJournal({ home });
for (let run = 0; run < runs; run += 1) {
  const one = await WebRun.begin(journal, `old-${run}`);
  await one.add(records - 3);
  await one.settle();
}
await journal.close();
report({ records: runs * records });

import { writeSync } from 'node:fs';

import { runId } from '../../../core/model/ids.ts';
import { isFault } from '../../../core/model/fault.ts';
import { isJournalAddress } from '../../journal-address.ts';
import { openPostgresJournal } from '../../postgres/postgres-journal.ts';
import { openSqliteJournal } from '../sqlite-journal.ts';
import { sampleBatch, sampleRun } from './sample.ts';

/**
 * A process that appends to one run: `writer.ts HOME RUN BATCHES BATCH_SIZE`, where HOME may be an address. It continues
 * after the newest record, and prints each number on its own line once it was accepted. With `Infinity` batches it continues
 * until it is killed. It exits with 3 when another process took the run over.
 */
const [home = '', run = '', batches = '', size = ''] = process.argv.slice(2);
const journal = isJournalAddress(home)
  ? await openPostgresJournal({ address: home })
  : await openSqliteJournal({ home });
const known = await journal.run(runId(run));
const lease = known ? await journal.lease(known.run, 'writer') : await journal.create(sampleRun(run), 'writer');
let seq = known?.seq ?? 0;
writeSync(1, `ready ${lease.epoch}\n`);
for (let batch = 0; batch < Number(batches); batch += 1) {
  await journal.append(lease, sampleBatch(run, seq + 1, Number(size))).catch(endWhenLost);
  seq += Number(size);
  writeSync(1, `${seq}\n`);
}
await journal.close();

function endWhenLost(error: unknown): never {
  if (isFault(error) && error.code === 'LEASE_LOST') process.exit(3);
  throw error;
}

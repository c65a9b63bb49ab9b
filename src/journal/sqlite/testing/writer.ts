import { writeSync } from 'node:fs';

import { runId } from '../../../core/ids.ts';
import { openSqliteJournal } from '../sqlite-journal.ts';
import { sampleBatch, sampleRun } from './sample.ts';

/**
 * A process that appends to one run: `writer.ts HOME RUN BATCHES BATCH_SIZE`. It goes on where the run stands, and says each
 * number on its own line once it was accepted. With `Infinity` batches it goes on until it is killed.
 */
const [home = '', run = '', batches = '', size = ''] = process.argv.slice(2);
const journal = await openSqliteJournal({ home });
const known = await journal.run(runId(run));
const lease = known ? await journal.lease(known.run, 'writer') : await journal.create(sampleRun(run), 'writer');
let seq = known?.seq ?? 0;
writeSync(1, `ready ${lease.epoch}\n`);
for (let batch = 0; batch < Number(batches); batch += 1) {
  await journal.append(lease, sampleBatch(run, seq + 1, Number(size)));
  seq += Number(size);
  writeSync(1, `${seq}\n`);
}
await journal.close();

// Node's own start, then every row of the journal, parsed: what any program pays that wants the records.
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const { folder } = JSON.parse(process.argv[2]);
const database = new DatabaseSync(join(folder, 'journal.db'));
let records = 0;
for (const { body } of database.prepare('SELECT body FROM records').iterate()) {
  JSON.parse(body);
  records += 1;
}
process.stdout.write(`\n${JSON.stringify({ at: performance.timeOrigin + performance.now(), records })}\n`);

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Changes a word in the records on the disk, as no program of ours would, beside a server that has the journal open. */
export function damageRecords(home: string, word: string): void {
  const database = new DatabaseSync(join(home, 'journal.db'));
  try {
    database.prepare('UPDATE records SET body = replace(body, ?, ?)').run(word, `${word}!`);
  } finally {
    database.close();
  }
}

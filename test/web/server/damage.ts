import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Changes a word in the records on the disk, as no program of ours would, beside a server that has the journal open. */
export function damageRecords(home: string, word: string): void {
  change(home, 'UPDATE records SET body = replace(body, ?, ?)', [word, `${word}!`]);
}

/** Breaks the chain at the records that hold a word: what comes after them fits no more. */
export function breakChain(home: string, word: string): void {
  change(home, "UPDATE records SET hash = 'x' WHERE instr(body, ?) > 0", [word]);
}

function change(home: string, sql: string, values: readonly string[]): void {
  const database = new DatabaseSync(join(home, 'journal.db'), { timeout: 5000 });
  try {
    database.prepare(sql).run(...values);
  } finally {
    database.close();
  }
}

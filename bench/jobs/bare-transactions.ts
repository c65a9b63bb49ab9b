import { DatabaseSync } from 'node:sqlite';

export interface BareTransactions {
  write(count: number): void;
  close(): void;
}

/** Transactions by hand: one row each, WAL, FULL. What this disk costs. */
export function bareTransactions(file: string, bytes: number): BareTransactions {
  const database = new DatabaseSync(file);
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  database.exec('CREATE TABLE events (id INTEGER PRIMARY KEY, body TEXT)');
  const begin = database.prepare('BEGIN IMMEDIATE');
  const insert = database.prepare('INSERT INTO events (body) VALUES (?)');
  const commit = database.prepare('COMMIT');
  const filler = 'x'.repeat(bytes - 8);
  return {
    write(count) {
      for (let event = 0; event < count; event += 1) {
        begin.run();
        insert.run(`${String(event).padStart(8)}${filler}`);
        commit.run();
      }
    },
    close: () => database.close(),
  };
}

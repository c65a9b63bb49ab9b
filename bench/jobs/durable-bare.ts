import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { folderBytes } from '../harness/folder-bytes.ts';
import { peakMemoryMb, report, settings, writtenBytes } from '../harness/report.ts';
import { timed } from '../harness/timed.ts';

/** As many bytes in as many transactions as Troupe made, by hand: one row each, WAL, FULL. What this disk costs. */
const { turns, folder, transactions, textBytes } = settings() as {
  turns: number;
  folder: string;
  transactions: number;
  textBytes: number;
};

const database = new DatabaseSync(join(folder, 'bare.db'));
database.exec(
  'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE events (id INTEGER PRIMARY KEY, body TEXT)',
);
const begin = database.prepare('BEGIN IMMEDIATE');
const insert = database.prepare('INSERT INTO events (body) VALUES (?)');
const commit = database.prepare('COMMIT');
const filler = 'x'.repeat(Math.round(textBytes / transactions) - 8);
const before = writtenBytes();
const timing = await timed(turns, async () => {
  for (let event = 0; event < transactions; event += 1) {
    begin.run();
    insert.run(`${String(event).padStart(8)}${filler}`);
    commit.run();
  }
});
const written = (writtenBytes() ?? 0) - (before ?? 0);
database.close();
report({ ...timing, bytes: folderBytes(folder), written, memoryMb: peakMemoryMb() });

import { expect, test } from 'vitest';
import { journalContract } from '../journal.contract.ts';
import { openDatabase } from './database-file.ts';
import { openSqliteJournal } from './sqlite-journal.ts';
import { temporaryHome } from './testing/temporary-home.ts';

journalContract('on SQLite', async () => {
  const { home, dispose } = temporaryHome();
  const first = await openSqliteJournal({ home });
  let journal = first;
  return {
    journal: first,
    reopen: async () => {
      await journal.close();
      journal = await openSqliteJournal({ home });
      return journal;
    },
    dispose: async () => {
      await journal.close();
      dispose();
    },
  };
});

test('[L6] every connection writes ahead and waits for the disk at each commit', async () => {
  const { home, dispose } = temporaryHome();
  const database = openDatabase(home);
  expect(database.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' });
  expect(database.prepare('PRAGMA synchronous').get()).toEqual({ synchronous: 2 });
  database.close();
  dispose();
});

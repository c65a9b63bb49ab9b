import { journalContract } from '../journal.contract.ts';
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

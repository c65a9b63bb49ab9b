import { homedir } from 'node:os';
import { troupeHome } from '../../journal/home.ts';
import type { Journal } from '../../journal/port.ts';
import { openSqliteJournal } from '../../journal/sqlite/sqlite-journal.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** The user's journal, open. */
export interface Store {
  readonly home: string;
  readonly journal: Journal;
}

export const storeHome = (terminal: Terminal): string =>
  troupeHome(terminal.environment, terminal.environment['HOME'] || homedir());

export async function openStore(terminal: Terminal): Promise<Store> {
  const home = storeHome(terminal);
  return { home, journal: await openSqliteJournal({ home }) };
}

/** Opens the journal for as long as the work takes. */
export async function withStore<Result>(terminal: Terminal, work: (store: Store) => Promise<Result>): Promise<Result> {
  const store = await openStore(terminal);
  try {
    return await work(store);
  } finally {
    await store.journal.close();
  }
}

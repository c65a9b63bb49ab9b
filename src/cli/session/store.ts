import { homedir } from 'node:os';
import { troupeHome } from '../../journal/home.ts';
import type { Journal } from '../../journal/port.ts';
import { redactingJournal } from '../../journal/redacting-journal.ts';
import { openSqliteJournal } from '../../journal/sqlite/sqlite-journal.ts';
import { KnownSecrets } from '../../secrets/known-secrets.ts';
import { keptWebToken } from '../../server/http/web-token.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** The user's journal, open. */
export interface Store {
  readonly home: string;
  readonly journal: Journal;
}

export interface OpenStore extends Store {
  /** What nothing that is written down may hold. */
  readonly secrets: KnownSecrets;
}

export const storeHome = (terminal: Terminal): string =>
  troupeHome(terminal.environment, terminal.environment['HOME'] || homedir());

export async function openStore(terminal: Terminal): Promise<OpenStore> {
  const home = storeHome(terminal);
  const secrets = recordSecrets(terminal, home);
  return { home, secrets, journal: redactingJournal(await openSqliteJournal({ home }), secrets) };
}

/** The token of the page is shown to the user, who needs it, and belongs in no record. */
function recordSecrets(terminal: Terminal, home: string): KnownSecrets {
  const secrets = new KnownSecrets(terminal.secrets);
  secrets.add('web-token', keptWebToken(home) ?? undefined);
  return secrets;
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

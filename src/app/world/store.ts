import { homedir } from 'node:os';
import { troupeHome } from '../../journal/home.ts';
import { parseAddress } from '../../journal/journal-address.ts';
import type { Journal } from '../../journal/port.ts';
import { redactingJournal } from '../../journal/redacting-journal.ts';
import { openSqliteJournal } from '../../journal/sqlite/sqlite-journal.ts';
import { KnownSecrets } from '../../secrets/known-secrets.ts';
import { clusterName, journalAddress } from '../config/project.ts';
import { keptWebToken } from '../secrets/web-token.ts';
import type { Caller } from '../caller.ts';
import type { SharedStore } from '../../workspace/travel/port.ts';
import { sharedFiles } from './shared-files.ts';
import type { PostgresJournal, WorkerIdentity } from '../../journal/postgres/shared-journal.ts';

/** The user's journal, open. */
export interface Store {
  readonly home: string;
  readonly journal: Journal;
  /** Where files travel to other machines, where several share the journal. Closed with the journal. */
  readonly files?: SharedStore;
}

export interface OpenStore extends Store {
  /** The journal itself where several machines share it. */
  readonly shared?: PostgresJournal;
  /** Secrets that must never be written. */
  readonly secrets: KnownSecrets;
}

/** How this process describes itself to others that share the journal. */
type AboutWorker = Omit<WorkerIdentity, 'id'>;

export const storeHome = (caller: Caller): string =>
  troupeHome(caller.environment, caller.environment['HOME'] || homedir());

export async function openStore(caller: Caller, about: AboutWorker = {}): Promise<OpenStore> {
  const home = storeHome(caller);
  const secrets = recordSecrets(caller, home);
  const address = await journalAddress(caller);
  if (address === null) return { home, secrets, journal: redactingJournal(await openSqliteJournal({ home }), secrets) };
  secrets.add('journal', parseAddress(address).password);
  const shared = await openShared(address, caller, about);
  const files = sharedFiles(caller, address);
  const close = async (): Promise<void> => {
    await files.close();
    await shared.close();
  };
  return { home, secrets, shared, files, journal: { ...redactingJournal(shared, secrets), close } };
}

/** The driver is loaded only for an address. */
async function openShared(address: string, caller: Caller, about: AboutWorker): Promise<PostgresJournal> {
  const { note } = caller;
  const { openPostgresJournal } = await import('../../journal/postgres/postgres-journal.ts');
  return await openPostgresJournal({
    address,
    cluster: await clusterName(caller),
    worker: about,
    onAway: (shown, reason) => note?.(`The journal ${shown} cannot be used now (${reason}). Waiting until it can.`),
    onBack: (shown) => note?.(`The journal ${shown} can be used again.`),
  });
}

/** The token of the page is shown to the user, who needs it, and belongs in no record. */
export function recordSecrets(caller: Caller, home: string): KnownSecrets {
  const secrets = new KnownSecrets(caller.secrets);
  secrets.add('web-token', keptWebToken(home) ?? undefined);
  return secrets;
}

/** Opens the journal for as long as the work takes. */
export async function withStore<Result>(
  caller: Caller,
  work: (store: OpenStore) => Promise<Result>,
  about?: AboutWorker,
): Promise<Result> {
  const store = await openStore(caller, about);
  try {
    return await work(store);
  } finally {
    await store.journal.close();
  }
}

/** The caller of a view, and the journal it reads. */
export interface Looking {
  readonly caller: Caller;
  readonly store: OpenStore;
  /** Of Troupe. */
  readonly version: string;
}

/**
 * `look`: no agent works in it, so settings that are not trusted are no obstacle; they stay without effect. `pass`: another
 * process will drive what is changed here. `begin`: workers will drive a new run, with the tools that the project has here.
 */
export type Purpose = 'drive' | 'begin' | 'pass' | 'look';

import { isAbsolute } from 'node:path';
import { Fault } from '../../core/model/fault.ts';
import { openFolderStore } from './folder-store.ts';
import type { SharedStore } from './port.ts';
import { type Database, openPostgresStore } from './postgres-store.ts';
import type { IdentityKeeper } from './store-identity.ts';

export interface SharedStoreOptions {
  /** Tells whether a folder is the one that the others use; see `postgresIdentity`. */
  readonly identity?: IdentityKeeper;
}

/** Opens the store at an address: `postgres://…`, or the path of a folder that all workers mount. */
export async function openSharedStore(address: string, options: SharedStoreOptions = {}): Promise<SharedStore> {
  if (isDatabaseAddress(address)) {
    const database = await connectDatabase(address);
    try {
      return await openPostgresStore(database, { close: () => database.end() });
    } catch (error) {
      await database.end();
      throw error;
    }
  }
  if (isAbsolute(address)) return await openFolderStore(address, options);
  throw new Fault(
    'STORE_ADDRESS_INVALID',
    'The setting `store` is neither a PostgreSQL address nor an absolute path.',
    {
      hint: 'Write postgres://user@host/database, or the path of a folder that all workers mount, such as /mnt/troupe.',
    },
  );
}

const isDatabaseAddress = (address: string): boolean => /^postgres(?:ql)?:\/\//i.test(address);

const CONNECTIONS = 2;
const CONNECT_MS = 10_000;
/** A group of bodies is at most 8 MB: a reply that takes longer is lost. */
const REPLY_MS = 60_000;

/** Loaded only where it is used. */
export async function connectDatabase(address: string): Promise<Database & { end(): Promise<void> }> {
  const { default: pg } = await import('pg');
  const pool = new pg.Pool({
    connectionString: address,
    max: CONNECTIONS,
    application_name: 'troupe store',
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: REPLY_MS,
  });
  // An idle connection that is lost is opened again with the next statement.
  pool.on('error', () => undefined);
  return pool;
}

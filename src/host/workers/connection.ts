import type { Socket } from 'node:net';
import type { Pool } from 'pg';
import { parseAddress } from '../../journal/journal-address.ts';

/** How DBOS reaches the database. It would report to the console; what matters is in the journal, and errors come back as errors. */
export interface QueueConnection {
  readonly systemDatabaseUrl: string;
  /** A worker's client and its executor share it. */
  readonly systemDatabasePool: Pool;
  readonly logger: typeof SILENT;
}

const CONNECTIONS = 2;
const CONNECT_MS = 10_000;

/**
 * All statements are short. A connection that says nothing for longer is lost, as when a network comes back without it: DBOS would
 * wait for its answer for ever, take nothing, and never end. DBOS repeats a statement whose connection ended.
 */
const ANSWER_MS = 5000;

/** A process that freezes within a transaction must not keep others from taking its runs for longer than it counts as alive. */
const IDLE_OPTION = '-c idle_in_transaction_session_timeout=3000';

export async function openQueueConnection(address: string): Promise<QueueConnection> {
  const url = new URL(parseAddress(address).url);
  const given = url.searchParams.get('options');
  url.searchParams.set('options', given === null ? IDLE_OPTION : `${given} ${IDLE_OPTION}`);
  const { default: pg } = await import('pg');
  const systemDatabasePool = new pg.Pool({
    connectionString: url.href,
    max: CONNECTIONS,
    application_name: 'troupe queue',
    connectionTimeoutMillis: CONNECT_MS,
    // One that rests is given back sooner than it would count as lost.
    idleTimeoutMillis: ANSWER_MS / 2,
  });
  // A connection that breaks while it rests is replaced by the next call.
  systemDatabasePool.on('error', ignore);
  systemDatabasePool.on('connect', ({ connection }) => {
    const socket = connection.stream as Socket;
    socket.setTimeout(ANSWER_MS, () => socket.destroy());
  });
  return { systemDatabaseUrl: url.href, systemDatabasePool, logger: SILENT };
}

const ignore = (): void => undefined;

const SILENT = { info: ignore, debug: ignore, warn: ignore, error: ignore };

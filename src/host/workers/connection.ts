import { parseAddress } from '../../journal/journal-address.ts';

/** How DBOS reaches the database. It would report to the console; what matters is in the journal, and errors come back as errors. */
export interface QueueConnection {
  readonly systemDatabaseUrl: string;
  readonly systemDatabasePoolSize: number;
  readonly systemDatabaseIdleTransactionTimeoutMs: number;
  readonly logger: typeof SILENT;
}

/** A process that freezes within a transaction must not keep others from taking its runs for longer than it counts as alive. */
const IDLE_OPTION = '-c idle_in_transaction_session_timeout=3000';

export function queueConnection(address: string): QueueConnection {
  const url = new URL(parseAddress(address).url);
  const given = url.searchParams.get('options');
  url.searchParams.set('options', given === null ? IDLE_OPTION : `${given} ${IDLE_OPTION}`);
  return {
    systemDatabaseUrl: url.href,
    systemDatabasePoolSize: 2,
    // DBOS would set its own in a way that its driver warns about.
    systemDatabaseIdleTransactionTimeoutMs: 0,
    logger: SILENT,
  };
}

const ignore = (): void => undefined;

const SILENT = { info: ignore, debug: ignore, warn: ignore, error: ignore };

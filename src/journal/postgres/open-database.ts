import { Fault } from '../../core/model/fault.ts';
import { damaged } from '../refusal.ts';
import pg from 'pg';
import type { JournalAddress } from '../journal-address.ts';
import type { DatabaseLink } from './database-link.ts';
import { LOCK_CLASS } from './lease-functions.ts';
import { isStarting, postgresFault } from './postgres-fault.ts';
import { OLDEST_SERVER, POSTGRES_FORMAT, POSTGRES_SCHEMA } from './schema.ts';

/** A server that is just starting is waited for so long. */
const STARTING_MS = 15_000;
const AGAIN_MS = 200;

/** Makes the schema where there is none; throws unless the server and the schema are ones that this version can use. */
export async function prepareDatabase(link: DatabaseLink, cluster: string | null): Promise<void> {
  const since = performance.now();
  for (;;) {
    try {
      await prepareOnce(link, cluster);
      return;
    } catch (error) {
      const isWorthWaiting = isStarting(error) && performance.now() - since < STARTING_MS;
      if (!isWorthWaiting) throw postgresFault(error, link.address);
    }
    await link.pause(AGAIN_MS);
  }
}

async function prepareOnce(link: DatabaseLink, cluster: string | null): Promise<void> {
  const client = new pg.Client(link.settings());
  client.on('error', () => undefined);
  try {
    await client.connect();
    await refuseUnfitServer(client, link.address);
    if (!(await hasFormat(client, link.address))) await makeSchema(client, link.address, cluster);
    await refuseOtherCluster(client, link.address, cluster);
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function refuseUnfitServer(client: pg.Client, address: JournalAddress): Promise<void> {
  const { rows } = await client.query<{ version: string; encoding: string }>(
    "select current_setting('server_version_num') as version, current_setting('server_encoding') as encoding",
  );
  const { version = '0', encoding = '' } = rows[0] ?? {};
  const major = Math.floor(Number(version) / 10_000);
  if (major < OLDEST_SERVER)
    throw unfit(address, `is PostgreSQL ${major}`, `Use PostgreSQL ${OLDEST_SERVER} or newer.`);
  if (encoding !== 'UTF8')
    throw unfit(address, `has the encoding ${encoding}`, 'Create the database with the encoding UTF8.');
}

const unfit = ({ shown }: JournalAddress, what: string, hint: string): Fault =>
  new Fault('JOURNAL_SERVER_UNFIT', `The database ${shown} ${what}.`, { hint, facts: { address: shown } });

/** False where there is no schema yet. */
async function hasFormat(client: pg.Client, address: JournalAddress): Promise<boolean> {
  const { rows } = await client.query<{ has_schema: boolean; has_meta: boolean }>(
    // Tables, not `to_regnamespace`: that may still answer from before another process made the schema.
    `select exists (select from pg_namespace where nspname = 'troupe') as has_schema,
      exists (select from pg_tables where schemaname = 'troupe' and tablename = 'meta') as has_meta`,
  );
  if (rows[0]?.has_schema !== true) return false;
  if (!rows[0].has_meta)
    throw new Fault(
      'JOURNAL_FOREIGN',
      `The database ${address.shown} has a schema "troupe" that is not a journal of Troupe.`,
      {
        hint: 'Name another database.',
        facts: { address: address.shown },
      },
    );
  const found = await client.query<{ value: string }>("select value from troupe.meta where key = 'format'");
  refuseFormat(Number(found.rows[0]?.value), address);
  return true;
}

function refuseFormat(format: number, { shown }: JournalAddress): void {
  if (format === POSTGRES_FORMAT) return;
  const facts = { address: shown, format, known: POSTGRES_FORMAT };
  if (!Number.isInteger(format) || format < 1) throw damaged(`The journal in ${shown} has no format number.`, facts);
  const isNewer = format > POSTGRES_FORMAT;
  const writer = isNewer ? 'a newer' : 'an older';
  throw new Fault(
    isNewer ? 'JOURNAL_NEWER' : 'JOURNAL_OLDER',
    `The journal in ${shown} was written by ${writer} Troupe (format ${format}).`,
    {
      hint: isNewer
        ? 'Upgrade Troupe, or name another database.'
        : 'This version cannot read it. Name another database.',
      facts,
    },
  );
}

/** Several processes may come first at the same time. */
async function makeSchema(client: pg.Client, address: JournalAddress, cluster: string | null): Promise<void> {
  await client.query('begin');
  try {
    await client.query(`select pg_advisory_xact_lock(${LOCK_CLASS}, 0)`);
    if (!(await hasFormat(client, address))) {
      await client.query(POSTGRES_SCHEMA);
      if (cluster !== null) await client.query("insert into troupe.meta values ('cluster', $1)", [cluster]);
    }
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

/** Two teams by mistake in one database would take each other's runs. */
async function refuseOtherCluster(client: pg.Client, { shown }: JournalAddress, cluster: string | null): Promise<void> {
  const { rows } = await client.query<{ value: string }>("select value from troupe.meta where key = 'cluster'");
  const owner = rows[0]?.value ?? null;
  if (owner === cluster) return;
  const belongs = owner === null ? 'a cluster without a name' : `the cluster "${owner}"`;
  const here = cluster === null ? 'no name is set here' : `the name set here is "${cluster}"`;
  const setting =
    owner === null ? 'remove TROUPE_CLUSTER or the setting `cluster` here' : `set TROUPE_CLUSTER=${owner} here`;
  throw new Fault('JOURNAL_OTHER_CLUSTER', `The database ${shown} belongs to ${belongs}; ${here}.`, {
    hint: `Name your own database. If this one is yours, ${setting}.`,
    facts: { address: shown, owner, cluster },
  });
}

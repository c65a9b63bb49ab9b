import { randomBytes } from 'node:crypto';
import { describe, expect, onTestFinished, test } from 'vitest';
import { faultCode } from '../testing/test-workspaces.ts';
import { openSharedStore } from './open-shared-store.ts';
import { PIECE_BYTES } from './port.ts';
import { openPostgresStore, postgresIdentity } from './postgres-store.ts';
import { contentsOf, storedName, sharedStoreContract } from './shared-store.contract.ts';
import { testDatabases } from './testing/test-database.ts';

const databases = testDatabases();

describe.skipIf(databases.isMissing)('on a PostgreSQL server', () => {
  sharedStoreContract('in PostgreSQL', async () => {
    const database = await databases.open();
    return () => openPostgresStore(database);
  });

  test('[U8] workers that open an empty database at the same moment all succeed', async () => {
    const address = await databases.address();
    const stores = await Promise.all(Array.from({ length: 6 }, () => openSharedStore(address)));
    onTestFinished(async () => {
      await Promise.all(stores.map((store) => store.close()));
    });
    expect(await Promise.all(stores.map((store) => store.missing([storedName('x')])))).toEqual(
      stores.map(() => new Set([storedName('x')])),
    );
  });

  test('[U8] no pieces stay behind of an upload that broke off', async () => {
    const database = await databases.open();
    const store = await openPostgresStore(database);
    async function* broken(): AsyncGenerator<Buffer> {
      yield randomBytes(2 * PIECE_BYTES);
      throw new Error('the line is cut');
    }
    await expect(store.put([{ name: storedName('a'), content: broken() }])).rejects.toThrow('the line is cut');
    expect((await database.query('select count(*)::int as count from troupe_store.piece')).rows).toEqual([
      { count: 0 },
    ]);
  });

  test('[U8] pieces that a dead worker left are removed a day later, those of a body never', async () => {
    const database = await databases.open();
    const store = await openPostgresStore(database);
    await store.put([{ name: storedName('kept'), content: randomBytes(2 * PIECE_BYTES) }]);
    const orphan = '00000000-0000-4000-8000-000000000000';
    await database.query('insert into troupe_store.piece (upload, at, content) values ($1, 0, $2)', [orphan, 'x']);
    const pieces = async (): Promise<unknown> =>
      (await database.query('select count(*)::int as count from troupe_store.piece')).rows;
    await openPostgresStore(database);
    expect(await pieces()).toEqual([{ count: 3 }]);
    await database.query("update troupe_store.piece set made = now() - interval '2 days'");
    await openPostgresStore(database);
    expect(await pieces()).toEqual([{ count: 2 }]);
  });

  test('[U8] a lost connection is opened again, and the statement repeated', async () => {
    const address = await databases.address();
    const [database, other] = [await databases.open(address), await databases.open(address)];
    const store = await openPostgresStore(database);
    await store.put([{ name: storedName('a'), content: Buffer.from('a') }]);
    const cut =
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()';
    const sleeping = database.query('select pg_sleep(60)').catch((error: unknown) => error);
    let asked = 0;
    const counting = {
      query: async (sql: string, values?: unknown[]) => {
        asked += 1;
        // On a connection that the server ends under it.
        if (asked === 4) {
          await other.query(cut);
          throw await sleeping;
        }
        return database.query(sql, values);
      },
    };
    const again = await openPostgresStore(counting);
    expect(await again.missing([storedName('a'), storedName('b')])).toEqual(new Set([storedName('b')]));
    expect(asked).toBe(5);
  });

  test('[U8] an upload goes on when the server was killed and started again in the middle of it', async () => {
    const store = await openPostgresStore(await databases.open());
    const content = randomBytes(4 * PIECE_BYTES);
    async function* restarting(): AsyncGenerator<Buffer> {
      yield content.subarray(0, 2 * PIECE_BYTES);
      databases.stopHard();
      setImmediate(() => databases.start());
      yield content.subarray(2 * PIECE_BYTES);
    }
    const name = storedName('through a restart');
    await store.put([{ name, content: restarting() }]);
    expect((await contentsOf(store, [name])).get(name)?.equals(content)).toBe(true);
  });

  test('[U8] a database of a newer version is refused', async () => {
    const database = await databases.open();
    await openPostgresStore(database);
    await database.query('update troupe_store.format set version = 2');
    expect(await faultCode(openPostgresStore(database))).toBe('STORE_NEWER');
  });

  test('[U8] the first id that is claimed in a database stays', async () => {
    const database = await databases.open();
    const keeper = postgresIdentity(database);
    const claimed = await Promise.all(['a', 'b', 'c'].map((id) => keeper.claim(id)));
    expect(new Set(claimed).size).toBe(1);
    expect(await postgresIdentity(database).claim('d')).toBe(claimed[0]);
  });
});

test('[U8] a server that is not there is reported with what to do', async () => {
  const gone = { query: async () => Promise.reject(Object.assign(new Error(''), { code: 'ECONNREFUSED' })) };
  await expect(openPostgresStore(gone)).rejects.toMatchObject({
    code: 'STORE_UNREACHABLE',
    message: 'The database of the shared store cannot be used: ECONNREFUSED',
    hint: expect.stringContaining('`store`') as unknown,
  });
  expect(await faultCode(openSharedStore('postgres://nobody@127.0.0.1:1/none?connect_timeout=1'))).toBe(
    'STORE_UNREACHABLE',
  );
});

test('[U8] an address that is neither is refused', async () => {
  expect(await faultCode(openSharedStore('shared/folder'))).toBe('STORE_ADDRESS_INVALID');
});

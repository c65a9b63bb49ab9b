import { afterAll, beforeAll } from 'vitest';
import pg from 'pg';
import { type Postgres, startPostgres } from '../../../../bench/harness/postgres.ts';

/** For tests: a PostgreSQL server for one file, and a new database for each test. */
export function testDatabases(): TestDatabases {
  let server: Postgres | null = null;
  const pools: pg.Pool[] = [];
  let count = 0;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(async () => {
    await Promise.all(pools.map((pool) => pool.end()));
    server?.stop();
  });
  const address = (): string => {
    if (server === null) throw new Error('PostgreSQL did not start.');
    count += 1;
    return server.url(`test_${count}`);
  };
  return {
    address,
    open: (connectionString = address()) => {
      const pool = new pg.Pool({ connectionString, max: 4 });
      pool.on('error', () => undefined);
      pools.push(pool);
      return pool;
    },
  };
}

export interface TestDatabases {
  readonly address: () => string;
  readonly open: (address?: string) => pg.Pool;
}

import pg from 'pg';
import { afterAll } from 'vitest';
import { startPostgres } from '../../../../bench/harness/postgres.ts';

/** For tests: a PostgreSQL server for one file, and new databases on it. */
export async function testDatabases(): Promise<TestDatabases> {
  const server = await startPostgres();
  const pools: pg.Pool[] = [];
  let count = 0;
  afterAll(async () => {
    await Promise.all(pools.map((pool) => pool.end()));
    server?.stop();
  });
  const address = (): string => {
    count += 1;
    return server?.url(`test_${count}`) ?? '';
  };
  return {
    isMissing: server === null,
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
  /** No server is installed; tests that need one are skipped. */
  readonly isMissing: boolean;
  readonly address: () => string;
  readonly open: (address?: string) => pg.Pool;
}

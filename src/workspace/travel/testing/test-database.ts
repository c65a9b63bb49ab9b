import pg from 'pg';
import { afterAll, beforeAll } from 'vitest';
import { hasServer, startCluster, type TestCluster } from '../../../journal/postgres/testing/test-cluster.ts';

/** For tests: a PostgreSQL server for one file, and new databases on it. */
export function testDatabases(): TestDatabases {
  let cluster: TestCluster | undefined;
  const pools: pg.Pool[] = [];
  const isMissing = !hasServer();
  beforeAll(async () => {
    if (!isMissing) cluster = await startCluster();
  });
  afterAll(async () => {
    await Promise.all(pools.map((pool) => pool.end()));
    cluster?.dispose();
  });
  const address = async (): Promise<string> => (await cluster?.database()) ?? '';
  return {
    isMissing,
    address,
    stopHard: () => cluster?.stopHard(),
    start: () => cluster?.start(),
    open: async (given) => {
      const pool = new pg.Pool({ connectionString: given ?? (await address()), max: 4 });
      pool.on('error', () => undefined);
      pools.push(pool);
      return pool;
    },
  };
}

export interface TestDatabases {
  /** No server is installed; tests that need one are skipped. */
  readonly isMissing: boolean;
  readonly address: () => Promise<string>;
  /** As after a power failure. */
  readonly stopHard: () => void;
  readonly start: () => void;
  readonly open: (address?: string) => Promise<pg.Pool>;
}

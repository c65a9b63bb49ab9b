import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseAddress } from '../journal-address.ts';
import { DatabaseLink } from './database-link.ts';
import { hasServer, startCluster, type TestCluster } from './testing/test-cluster.ts';

describe.skipIf(!hasServer())('the connections of a shared journal', () => {
  let cluster: TestCluster;
  beforeAll(async () => {
    cluster = await startCluster();
  }, 60_000);
  afterAll(() => cluster.dispose());

  test('[J4] the server runs a short statement without compiling it first', async () => {
    const link = new DatabaseLink(parseAddress(await cluster.database()));
    try {
      await link.query({ text: 'create table sample (id integer)' });
      const plan = await link.query({ text: 'explain (analyze) select count(*) from sample where id > 1' });
      expect(JSON.stringify(plan)).toContain('Scan on sample');
      expect(JSON.stringify(plan)).not.toContain('JIT');
    } finally {
      await link.close();
    }
  });
});

import { afterAll, afterEach, beforeAll, describe } from 'vitest';
import { openPostgresJournal } from '../../journal/postgres/postgres-journal.ts';
import { hasServer, startCluster, type TestCluster } from '../../journal/postgres/testing/test-cluster.ts';
import type { Journal } from '../../journal/port.ts';
import { hostContract } from '../host.contract.ts';
import { createEmbeddedHost } from './embedded-host.ts';

describe.skipIf(!hasServer())('with its own PostgreSQL', () => {
  let cluster: TestCluster;
  const journals: Journal[] = [];
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterEach(async () => {
    await Promise.all(journals.splice(0).map((journal) => journal.close()));
  });
  afterAll(() => cluster?.dispose());

  const makeJournal = async (): Promise<Journal> => {
    const journal = await openPostgresJournal({ address: await cluster.database() });
    journals.push(journal);
    return journal;
  };
  hostContract('the embedded host on PostgreSQL', { makeHost: createEmbeddedHost, makeJournal });
});

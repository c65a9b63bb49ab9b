import { afterAll, beforeAll, describe } from 'vitest';

import { journalContract } from '../journal.contract.ts';
import type { Journal } from '../port.ts';
import { openPostgresJournal } from './postgres-journal.ts';
import { hasServer, startCluster, type TestCluster } from './testing/test-cluster.ts';

describe.skipIf(!hasServer())('on its own PostgreSQL', () => {
  let cluster: TestCluster;
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(() => cluster?.dispose());

  journalContract('on PostgreSQL', async () => {
    const address = await cluster.database();
    const first = await openPostgresJournal({ address });
    let journal = first;
    const others: Journal[] = [];
    return {
      journal: first,
      reopen: async () => {
        await journal.close();
        journal = await openPostgresJournal({ address });
        return journal;
      },
      openOther: async () => {
        const other = await openPostgresJournal({ address, worker: { id: 'another process' } });
        others.push(other);
        return other;
      },
      dispose: async () => {
        for (const one of [...others, journal]) await one.close();
      },
    };
  });
});

import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openPostgresJournal } from '../../journal/postgres/postgres-journal.ts';
import { hasServer, startCluster, type TestCluster } from '../../journal/postgres/testing/test-cluster.ts';
import { workerWarnings } from './worker-warnings.ts';

const HOUR = 3_600_000;

describe.skipIf(!hasServer())('what a worker is told when it starts', () => {
  let cluster: TestCluster;
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(() => cluster?.dispose());

  test.each([
    { title: 'nothing where all is well', skewMs: 0, version: '1.2.3', told: [] },
    {
      title: 'that its clock is an hour ahead',
      skewMs: HOUR,
      version: '1.2.3',
      told: [
        expect.stringMatching(/^The clock of this machine is 60 minutes ahead of the database's\..*set the clock\.$/),
      ],
    },
    {
      title: 'that its clock is an hour behind',
      skewMs: -HOUR,
      version: '1.2.3',
      told: [expect.stringContaining('60 minutes behind')],
    },
    {
      title: 'that a worker has another version',
      skewMs: 0,
      version: '1.2.4',
      told: [expect.stringMatching(/^Worker .*\/\d+ runs Troupe 1\.2\.3, this one 1\.2\.4\. Use one version/)],
    },
  ])('[U8] $title', async ({ skewMs, version, told }) => {
    const address = await cluster.database();
    const other = await openPostgresJournal({ address, worker: { id: 'other', version: '1.2.3' } });
    onTestFinished(() => other.close());
    await other.register({ slots: 1, offers: [] });
    expect(await workerWarnings(other, version, () => Date.now() + skewMs)).toEqual(told);
  });
});

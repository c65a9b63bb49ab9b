import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

import { runId, type RunId } from '../../core/model/ids.ts';
import { explained, fillJournal, readsTooMuch, startExplaining } from '../../journal/postgres/testing/explained.ts';
import { openPostgresJournal } from '../../journal/postgres/postgres-journal.ts';
import { hasServer, startCluster, type TestCluster } from '../../journal/postgres/testing/test-cluster.ts';
import { createEmbeddedHost } from '../embedded/embedded-host.ts';
import { build, end, to, turn, work } from '../testing/build-definition.ts';
import { testWorld } from '../testing/test-world.ts';
import { untilStopped } from '../testing/until-stopped.ts';
import { openQueueConnection } from './connection.ts';
import { type Entries, openEntries } from './entries.ts';
import { startWorkerProcess, type WorkerProcess } from './testing/start-worker.ts';
import { openWorkQueue } from './work-queue.ts';

const JOURNAL = ['runs', 'records', 'inbox', 'bodies'];
const QUEUE = ['workflow_status', 'workflow_input', 'workflow_output'];

const AN_HOUR = 3_600_000;

describe.skipIf(!hasServer())('plans of the queue', { timeout: 90_000 }, () => {
  let cluster: TestCluster;
  let address: string;
  let worker: WorkerProcess | undefined;
  beforeAll(async () => {
    cluster = await startCluster();
    address = await cluster.database();
    // Makes the tables.
    const first = await startWorkerProcess(address);
    first.signal('SIGTERM');
    await first.ended();
    await fillJournal(cluster, address);
    await fillQueue();
    await startExplaining(cluster, address);
  });
  afterEach(async () => {
    worker?.signal('SIGKILL');
    await worker?.ended();
  });
  afterAll(() => cluster?.dispose());

  /** Two entries of each run, which ended today. */
  async function fillQueue(): Promise<void> {
    const each = `from generate_series(1, 5000) i, generate_series(1, 2) n`;
    const id = `'old-' || i || '#' || n`;
    await cluster.query(
      address,
      `insert into dbos.workflow_status (workflow_uuid, status, name, queue_name, queue_partition_key, application_version,
          application_name, executor_id, created_at, completed_at, started_at_epoch_ms)
        select ${id}, 'SUCCESS', 'drive', 'drive', '["p"]', 'troupe', 'troupe', 'gone', at, at, at
          from (select i, n, extract(epoch from now()) * 1000 - i as at ${each}) made;
      insert into dbos.workflow_input (workflow_uuid, inputs) select ${id}, '{"json":["old",0]}' ${each};
      insert into dbos.workflow_output (workflow_uuid, output) select ${id}, '{"json":{"failures":0,"reason":null}}' ${each}`,
    );
  }

  const withEntries = async (use: (entries: Entries) => Promise<void>): Promise<void> => {
    const connection = await openQueueConnection(address);
    await use(await openEntries(connection));
    await connection.systemDatabasePool.end();
  };

  const definition = build({ states: [work('code', turn('coder', "'go'"), [to('stop')]), end('stop')] });

  test('[U8] no statement that a run causes in the queue reads more than it needs, however many ran before', async () => {
    const journal = await openPostgresJournal({ address });
    const queue = await openWorkQueue({ address });
    const host = createEmbeddedHost(testWorld({ journal, owner: 'laptop', answer: untilStopped().answer }));
    const begin = (): Promise<RunId> => host.start({ definition, input: {}, project: 'p' });
    const [queued, offered, found] = [await begin(), await begin(), await begin()];
    await host.shutdown();
    await queue.enqueue(runId('old-7'), { project: 'q' });
    await queue.enqueue(queued, { project: 'p' });
    await queue.placement(journal).offer(offered);
    worker = await startWorkerProcess(address);
    for (const run of [queued, offered, found]) await worker.said(`drove ${run}`);
    expect(await queue.lastFailure(queued)).toBeNull();
    worker.signal('SIGTERM');
    expect(await worker.ended()).toBe(0);
    const before = (await journal.now()) - AN_HOUR;
    await withEntries((entries) => entries.deleteFinished(before));
    await queue.close();
    await journal.close();
    const all = await explained(cluster, address);
    const ofQueue = all.filter(({ scans }) => scans.some(({ table }) => QUEUE.includes(table)));
    expect(new Set(ofQueue.map(({ statement }) => statement)).size).toBeGreaterThan(15);
    expect(all.filter((one) => readsTooMuch(one, [...JOURNAL, ...QUEUE]))).toEqual([]);
  });

  test('[U8] finished entries are deleted, but not those that just ended', async () => {
    const left =
      "select workflow_uuid as id from dbos.workflow_status where workflow_uuid in ('old-2999#1', 'old-3000#2', 'old-3001#1')";
    const at = "select completed_at::float8 as at from dbos.workflow_status where workflow_uuid = 'old-3000#2'";
    const [row] = await cluster.query(address, at);
    await withEntries((entries) => entries.deleteFinished((row as { readonly at: number }).at));
    expect(await cluster.query(address, left)).toEqual([{ id: 'old-2999#1' }]);
  });

  test('[U8] a run is queued any number of times, and leaves two entries', async () => {
    const run = runId('often');
    await withEntries(async (entries) => {
      for (let count = 0; count < 20; count += 1) {
        await entries.add(run, { project: 'p' });
        await entries.add(run, { project: 'p' });
        expect((await entries.of(run)).map(({ isOpen }) => isOpen)).toEqual(count === 0 ? [true] : [true, false]);
        await cluster.query(
          address,
          "update dbos.workflow_status set status = 'SUCCESS' where workflow_uuid like 'often#%'",
        );
      }
    });
    expect(
      await cluster.query(
        address,
        "select count(*)::integer from dbos.workflow_status where workflow_uuid like 'often#%'",
      ),
    ).toEqual([{ count: 2 }]);
  });
});

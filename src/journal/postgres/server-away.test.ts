import { setImmediate as immediate } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import { runId } from '../../core/model/ids.ts';
import { sampleBatch, sampleRecords, sampleRun } from '../sqlite/testing/sample.ts';
import { contents } from '../testing/under-test.ts';
import { openPostgresJournal } from './postgres-journal.ts';
import { startLossyProxy } from './testing/lossy-proxy.ts';
import { hasServer, startCluster, type TestCluster } from './testing/test-cluster.ts';

const A = runId('a');

describe.skipIf(!hasServer())('a server that is away', () => {
  let cluster: TestCluster;
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(() => cluster?.dispose());

  test('[J7] an answer that is lost after the commit repeats no record and loses none', async () => {
    const proxy = await startLossyProxy(await cluster.database());
    const journal = await openPostgresJournal({ address: proxy.address });
    proxy.loseAnswerTo('title of a');
    const lease = await journal.create(sampleRun('a'), 'host');
    const other = await journal.create(sampleRun('b'), 'host');
    for (let seq = 1; seq <= 40; seq += 2) {
      proxy.loseAnswerTo(`a ${seq} `);
      const batch = { ...sampleBatch('a', seq, 2), sends: [{ run: other.run, message: message(seq) }] };
      await Promise.all([journal.append(lease, batch), journal.append(other, sampleBatch('b', seq, 2))]);
    }
    proxy.loseAnswerTo('asked twice');
    await journal.send(A, { id: 'asked twice', at: 1, body: null });
    expect(proxy.lost()).toBe(22);
    for (const name of ['a', 'b'])
      expect(await contents(journal.read(runId(name)))).toEqual(sampleRecords(name, 1, 40));
    expect(await journal.inbox(other.run)).toHaveLength(20);
    expect(await journal.inbox(A)).toHaveLength(1);
    expect(await journal.lease(A, 'host')).toMatchObject({ epoch: 2 });
    await journal.close();
    await proxy.close();
  });

  test('[J1] connections that are killed while appends are under way lose and repeat nothing', async () => {
    const address = await cluster.database();
    const journal = await openPostgresJournal({ address });
    const names = ['a', 'b', 'c', 'd'];
    const leases = await Promise.all(names.map((name) => journal.create(sampleRun(name), 'host')));
    const count = { appended: 0, killed: 0 };
    const work = leases.map(async (lease, index) => {
      let seq = 0;
      while (count.killed < 20) {
        seq += 1;
        await journal.append(lease, sampleBatch(names[index] ?? '', seq, 1));
        count.appended += 1;
      }
      return seq;
    });
    // Something gets through between two blows: on a busy machine no connection would live long enough otherwise.
    for (let seen = -1; count.killed < 20;) {
      await immediate();
      if (count.appended <= seen) continue;
      seen = count.appended;
      count.killed += (await cluster.query(address, KILL_ALL)).length;
    }
    const written = await Promise.all(work);
    for (const [index, name] of names.entries())
      expect(await contents(journal.read(runId(name)))).toEqual(sampleRecords(name, 1, written[index] ?? 0));
    expect(await journal.run(A)).toMatchObject({ driven: true });
    await journal.close();
  });

  test('[J1] a server that is killed and started again is waited for, with one word at each end', async () => {
    const said: string[] = [];
    const address = await cluster.database();
    const journal = await openPostgresJournal({
      address,
      onAway: (shown) => said.push(`away ${shown}`),
      onBack: (shown) => said.push(`back ${shown}`),
    });
    const other = await openPostgresJournal({ address, worker: { id: 'other' } });
    const lease = await journal.create(sampleRun('a'), 'host');
    const heard = vi.fn<() => void>();
    journal.onChange(heard);
    await journal.append(lease, sampleBatch('a', 1, 3));
    cluster.stopHard();
    const appended = journal.append(lease, sampleBatch('a', 4, 3));
    const read = journal.read(A);
    await vi.waitFor(() => expect(said).toHaveLength(1), 30_000);
    cluster.start();
    await appended;
    expect((await read).length).toBeGreaterThanOrEqual(3);
    await vi.waitFor(() => expect(said.map((text) => text.slice(0, 4))).toEqual(['away', 'back']), 30_000);
    // Nobody takes the run of a process that had no time yet to connect again.
    await expect(other.lease(A, 'other host')).rejects.toMatchObject({ code: 'RUN_BUSY' });
    await journal.append(lease, sampleBatch('a', 7, 1));
    expect(await contents(journal.read(A))).toEqual(sampleRecords('a', 1, 7));
    heard.mockClear();
    await vi.waitFor(async () => {
      await other.send(A, {
        id: `after the restart ${heard.mock.calls.length} ${performance.now()}`,
        at: 1,
        body: null,
      });
      expect(heard).toHaveBeenCalled();
    }, 10_000);
    await Promise.all([journal.close(), other.close()]);
  });

  test('[J1] closing a journal whose server is away ends the calls that wait', async () => {
    const journal = await openPostgresJournal({ address: await cluster.database() });
    const lease = await journal.create(sampleRun('a'), 'host');
    cluster.stopHard();
    const appended = journal.append(lease, sampleBatch('a', 1, 1));
    const [refused] = await Promise.allSettled([appended, journal.close()]);
    cluster.start();
    expect(refused).toMatchObject({ status: 'rejected', reason: { code: 'JOURNAL_CLOSED' } });
  });
});

const message = (seq: number) => ({ id: `m${seq}`, at: 1, body: seq });

const KILL_ALL = `
  select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and application_name = 'troupe'`;

import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';

import { runId, type RunId } from '../../core/model/ids.ts';
import type { Journal, Lease } from '../port.ts';
import { sampleBatch, sampleRecords, sampleRun } from '../sqlite/testing/sample.ts';
import { startWriter } from '../sqlite/testing/start-writer.ts';
import { contents } from '../testing/under-test.ts';
import { openPostgresJournal } from './postgres-journal.ts';
import { hasServer, startCluster, type TestCluster } from './testing/test-cluster.ts';
import type { PostgresJournal } from './shared-journal.ts';

const A = runId('a');

const STALE = { run: A, epoch: 0, owner: 'gone' };

/** Longer than any worker that stopped counts as alive. */
const SOON = 20_000;

describe.skipIf(!hasServer())('several workers', { timeout: 60_000 }, () => {
  let cluster: TestCluster;
  let address: string;
  beforeAll(async () => {
    cluster = await startCluster();
  });
  beforeEach(async () => {
    address = await cluster.database();
  });
  afterAll(() => cluster?.dispose());

  const open = (id: string): Promise<PostgresJournal> => openPostgresJournal({ address, worker: { id } });

  const untilFree = (journal: Journal): Promise<void> =>
    vi.waitFor(async () => expect(await journal.run(A)).toMatchObject({ driven: false }), SOON);

  test('[J3] the run of a killed process is taken over, and all it wrote is there', async () => {
    const writer = startWriter({ home: address, run: 'a', batches: Infinity, size: 2 });
    await writer.said(5);
    const journal = await open('other');
    await expect(journal.lease(A, 'host')).rejects.toMatchObject({
      code: 'RUN_BUSY',
      message: expect.stringContaining(`process ${writer.pid} `),
    });
    expect(await journal.run(A)).toMatchObject({ driven: true });
    await writer.kill();
    await untilFree(journal);
    const lease = await journal.lease(A, 'host');
    expect(lease.epoch).toBe(2);
    const records = await contents(journal.read(A));
    expect(records.length).toBeGreaterThanOrEqual(writer.accepted());
    expect(records).toEqual(sampleRecords('a', 1, records.length));
    await journal.append(lease, sampleBatch('a', records.length + 1, 1));
    expect((await journal.workers()).map(({ id, isAlive }) => [id, isAlive])).toContainEqual(['other', true]);
    await journal.close();
  });

  test('[U8] a process that was silent for too long knows that others may have its runs', async () => {
    let now = 0;
    const journal = await openPostgresJournal({ address, worker: { id: 'silent' }, clocks: () => [0, now] });
    expect(journal.lapses?.()).toBe(0);
    await journal.create(sampleRun('a'), 'host', sampleBatch('a', 1, 1));
    expect(journal.lapses?.()).toBe(0);
    now += 1500;
    expect(journal.lapses?.()).toBeNaN();
    await vi.waitFor(() => expect(journal.lapses?.()).toBe(1), SOON);
    await journal.close();
  });

  test("[U8] a name in a tree of runs is one process's at a time, in whatever order they ask", async () => {
    const [one, other] = [await open('one'), await open('other')];
    await one.create(sampleRun('a'), 'host', sampleBatch('a', 1, 1));
    const { signal } = new AbortController();
    const order: string[] = [];
    const giveBack = await one.reserve?.(A, 'main', signal);
    const waiting = other.reserve?.(A, 'main', signal).then((done) => {
      order.push('taken');
      return done;
    });
    await (
      await other.reserve?.(A, 'side', signal)
    )?.();
    order.push('given back');
    await giveBack?.();
    await (
      await waiting
    )?.();
    expect(order).toEqual(['given back', 'taken']);
    const late = new AbortController();
    await one.reserve?.(A, 'main', signal);
    const refused = other.reserve?.(A, 'main', late.signal);
    late.abort(new Error('enough'));
    await expect(refused).rejects.toThrow('enough');
    await Promise.all([one.close(), other.close()]);
  });

  test('[U8] [J3] who takes a name from a dead process takes all that it drove of the tree, so it writes nothing more', async () => {
    const [dead, alive] = [await open('dead'), await open('alive')];
    const lease = await dead.create(sampleRun('a'), 'host', sampleBatch('a', 1, 1));
    await dead.reserve?.(A, 'main', new AbortController().signal);
    // Its heart stops; the process would go on.
    await cluster.query(address, `update troupe.workers set id = 'buried' where id = 'dead'`);
    const giveBack = await alive.reserve?.(A, 'main', new AbortController().signal);
    await expect(dead.append(lease, sampleBatch('a', 2, 1))).rejects.toMatchObject({ code: 'LEASE_LOST' });
    await giveBack?.();
    await Promise.all([dead.close(), alive.close()]);
  });

  test('[J3] the run of a frozen process is taken over; awake again, it is refused', async () => {
    const writer = startWriter({ home: address, run: 'a', batches: Infinity, size: 1 });
    await writer.said(5);
    process.kill(writer.pid, 'SIGSTOP');
    const journal = await open('other');
    await untilFree(journal);
    const lease = await journal.lease(A, 'host');
    const { seq = 0 } = (await journal.run(A)) ?? {};
    await journal.append(lease, sampleBatch('a', seq + 1, 3));
    process.kill(writer.pid, 'SIGCONT');
    expect(await writer.ended()).toBe(3);
    expect(await contents(journal.read(A))).toEqual(sampleRecords('a', 1, seq + 3));
    await journal.close();
  });

  test('[J2] several processes make the schema and write to one journal at the same time', async () => {
    const names = ['a', 'b', 'a/1'];
    const writers = names.map((run) => startWriter({ home: address, run, batches: 60, size: 4 }));
    expect(await Promise.all(writers.map((writer) => writer.ended()))).toEqual([0, 0, 0]);
    const journal = await open('reader');
    for (const name of names) expect(await contents(journal.read(runId(name)))).toEqual(sampleRecords(name, 1, 240));
    const tree = await journal.tree(A);
    expect(tree).toHaveLength(480);
    expect(tree.map(({ commit }) => commit)).toEqual(tree.map(({ commit }) => commit).toSorted((x, y) => x - y));
    expect((await journal.inspect()).problems).toEqual([]);
    await journal.close();
  });

  test('[J8] processes that append to crossed runs of the same trees never wait for each other in a circle', async () => {
    const journals = [await open('one'), await open('two')];
    const trees = Array.from({ length: 12 }, (_, index) => index);
    const held = journals.map(() => [] as { readonly name: string; readonly lease: Lease }[]);
    for (const [index, name] of trees.flatMap((tree) => [`${tree}`, `${tree}/1`]).entries()) {
      const side = (index + Math.floor(index / 2)) % 2;
      const lease = await journals[side]?.create(sampleRun(name), 'host', sampleBatch(name, 1, 1));
      if (lease !== undefined) held[side]?.push({ name, lease });
    }
    held[1]?.reverse();
    for (let seq = 2; seq <= 40; seq += 1)
      await Promise.all(
        journals.flatMap((journal, side) =>
          (held[side] ?? []).map(({ name, lease }) => journal.append(lease, sampleBatch(name, seq, 1))),
        ),
      );
    for (const tree of trees) {
      const records = (await journals[0]?.tree(runId(`${tree}`))) ?? [];
      expect(records.map(({ commit }) => commit)).toEqual(Array.from({ length: 80 }, (_, index) => index + 1));
    }
    await Promise.all(journals.map((journal) => journal.close()));
    const statement = 'select deadlocks::integer from pg_stat_database where datname = current_database()';
    expect(await cluster.query(address, statement)).toEqual([{ deadlocks: 0 }]);
  });

  test('[J8] runs of one tree that are created at the same time share its commit numbers', async () => {
    const journals = [await open('one'), await open('two')];
    const holder = new pg.Client({ connectionString: address });
    await holder.connect();
    await holder.query('begin; lock table troupe.inbox in share mode');
    const sends = [{ run: A, message: { id: 'm', at: 1, body: 'words' } }];
    const created = journals.map((journal, index) => {
      const name = index === 0 ? 'a/1' : 'a';
      return journal.create(sampleRun(name), 'host', { ...sampleBatch(name, 1, 1), sends });
    });
    await vi.waitFor(async () => {
      const waiting = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
      expect(await cluster.query(address, waiting)).toHaveLength(2);
    }, SOON);
    await holder.query('commit');
    await Promise.all([...created, holder.end()]);
    expect((await journals[0]?.tree(A))?.map(({ commit }) => commit)).toEqual([1, 2]);
    expect(await journals[0]?.runs({ root: A })).toHaveLength(2);
    await Promise.all(journals.map((journal) => journal.close()));
  });

  test('[J3] of two that want a free run one gets it, and only that one appends', async () => {
    const [one, two] = [await open('one'), await open('two')];
    await one.release(await one.create(sampleRun('a'), 'one'));
    for (let round = 1; round <= 30; round += 1) {
      const taken = await Promise.allSettled([one.lease(A, 'one'), two.lease(A, 'two')]);
      const [winner, loser] = taken[0].status === 'fulfilled' ? [one, two] : [two, one];
      const lease = taken.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))[0] ?? STALE;
      expect(taken).toContainEqual({ status: 'rejected', reason: expect.objectContaining({ code: 'RUN_BUSY' }) });
      const late = loser.append({ ...lease, epoch: lease.epoch - 1 }, sampleBatch('a', round, 1));
      await expect(late).rejects.toMatchObject({ code: 'LEASE_LOST' });
      await winner.append(lease, sampleBatch('a', round, 1));
      await winner.release(lease);
    }
    expect(await contents(one.read(A))).toEqual(sampleRecords('a', 1, 30));
    await Promise.all([one.close(), two.close()]);
  });

  test('[J3] a process that closes its journal leaves its runs, and is no longer listed', async () => {
    const [one, two] = [await open('one'), await open('two')];
    await one.create(sampleRun('a'), 'one');
    await two.create(sampleRun('b'), 'two');
    const workers = await two.workers();
    expect(workers.map(({ id, isAlive, runs, pid }) => [id, isAlive, runs, pid])).toEqual([
      ['one', true, ['a'], process.pid],
      ['two', true, ['b'], process.pid],
    ]);
    const again = await open('one');
    await again.create(sampleRun('c'), 'one');
    await one.close();
    expect(await two.run(A)).toMatchObject({ driven: true });
    await again.close();
    expect(await two.run(A)).toMatchObject({ driven: false });
    expect((await two.workers()).map(({ id }) => id)).toEqual(['two']);
    expect(await two.lease(A, 'two')).toMatchObject({ epoch: 2 });
    await two.close();
  });

  test('[J6] a listener hears the names of all runs that others changed at once, however long they are', async () => {
    const [one, two] = [await open('one'), await open('two')];
    const heard = new Set<RunId>();
    one.onChange((changed) => {
      for (const run of changed ?? []) heard.add(run);
    });
    const names = Array.from({ length: 120 }, (_, index) => runId(`${index} ${'long '.repeat(40)}`));
    await Promise.all(names.map((run) => two.create({ ...sampleRun('a'), run }, 'two')));
    await vi.waitFor(() => expect(heard.size).toBe(names.length), SOON);
    await Promise.all([one.close(), two.close()]);
  });

  test('[J6] a write whose notification was lost is still noticed', async () => {
    const journal = await open('one');
    const heard = vi.fn<(changed: ReadonlySet<RunId> | null) => void>();
    journal.onChange(heard);
    // What happened before it could listen is unknown.
    await vi.waitFor(() => expect(heard).toHaveBeenCalledWith(null), SOON);
    heard.mockClear();
    await vi.waitFor(async () => {
      await cluster.query(address, "select nextval('troupe.changes')");
      expect(heard).toHaveBeenCalledWith(null);
    }, SOON);
    await journal.close();
  });

  test('[U8] a worker uses at most six connections', async () => {
    const journal = await open('one');
    journal.onChange(() => undefined);
    const leases = await Promise.all(
      Array.from({ length: 100 }, (_, index) => journal.create(sampleRun(`run ${index}`), 'one')),
    );
    await Promise.all(leases.map(({ run }) => journal.read(run)));
    await Promise.all(leases.map((lease) => journal.append(lease, sampleBatch(lease.run, 1, 1))));
    const rows = await cluster.query(
      address,
      "select from pg_stat_activity where datname = current_database() and application_name = 'troupe'",
    );
    expect(rows.length).toBeLessThanOrEqual(6);
    expect(rows.length).toBeGreaterThan(3);
    await journal.close();
  });
});

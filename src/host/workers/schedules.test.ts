import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';

import { openPostgresJournal } from '../../journal/postgres/postgres-journal.ts';
import type { PostgresJournal } from '../../journal/postgres/shared-journal.ts';
import { hasServer, startCluster, type TestCluster } from '../../journal/postgres/testing/test-cluster.ts';
import { foldRecords } from '../../core/fold/fold.ts';
import { scheduledRunId } from '../new-run-id.ts';
import { projectNeed } from './lanes.ts';
import type { KeptSchedule } from './schedules.ts';
import { startWorkerProcess, type WorkerManner, type WorkerProcess } from './testing/start-worker.ts';
import { openWorkQueue, type WorkQueue } from './work-queue.ts';

const SOON = 30_000;
const EVERY_SECOND = '* * * * * *';
const PROJECT = 'name:shop';
const HERE = { offers: [projectNeed(PROJECT)] };

describe.skipIf(!hasServer())('schedules', { timeout: 90_000 }, () => {
  let cluster: TestCluster;
  let address: string;
  let journal: PostgresJournal;
  let queue: WorkQueue;
  const started: WorkerProcess[] = [];
  beforeAll(async () => {
    cluster = await startCluster();
  });
  beforeEach(async () => {
    address = await cluster.database();
    journal = await openPostgresJournal({ address });
    queue = await openWorkQueue({ address });
  });
  afterEach(async () => {
    for (const worker of started) worker.signal('SIGKILL');
    await Promise.all(started.splice(0).map((worker) => worker.ended()));
    await queue.close();
    await journal.close();
  });
  afterAll(() => cluster?.dispose());

  const worker = async (manner?: WorkerManner): Promise<WorkerProcess> => {
    const made = await startWorkerProcess(address, manner);
    started.push(made);
    return made;
  };

  const add = async (name = 'nightly', cron = EVERY_SECOND): Promise<void> => {
    const order = { kind: 'start', workflow: 'tidy' };
    const made = { name, cron, timeZone: 'UTC', project: PROJECT, folder: '', by: 'ann', order };
    expect(await queue.schedules.add(made)).toBe(true);
  };

  /** The schedule that began each run, oldest first. */
  const begun = async (): Promise<readonly { readonly name: string; readonly at: number }[]> => {
    const runs = await journal.runs({ parent: null });
    const all = await Promise.all(
      runs.map(async ({ run }) => {
        const { schedule } = foldRecords(await journal.read(run)).terms;
        expect(schedule && scheduledRunId(schedule)).toBe(run);
        return schedule === undefined ? [] : [schedule];
      }),
    );
    return all.flat().toReversed();
  };

  const untilBegun = async (count: number, name = 'nightly'): Promise<void> =>
    await vi.waitFor(async () => {
      const own = (await begun()).filter((one) => one.name === name);
      expect(own.length).toBeGreaterThanOrEqual(count);
    }, SOON);

  const kept = async (): Promise<KeptSchedule | undefined> => (await queue.schedules.list())[0];

  test('[U8] each time begins one run, however many workers notice it', async () => {
    const workers = [await worker(HERE), await worker(HERE)];
    await add();
    const began = (): readonly string[] =>
      workers.flatMap(({ lines }) => lines.filter((line) => line.startsWith('began ')));
    await vi.waitFor(() => expect(began().length).toBeGreaterThanOrEqual(4), SOON);
    expect(await queue.schedules.remove('nightly')).toBe(true);
    expect(new Set(began()).size).toBe(began().length);
    const times = (await begun()).map(({ at }) => at);
    expect(times.filter((at) => at % 1000 !== 0)).toEqual([]);
    expect(new Set(times).size).toBe(times.length);
  });

  test('[U8] a removed schedule fires no more, and others go on', async () => {
    await worker(HERE);
    await add();
    await untilBegun(1);
    expect(await queue.schedules.remove('nightly')).toBe(true);
    const removedAt = Date.now();
    expect(await queue.schedules.remove('nightly')).toBe(false);
    await add('other');
    await untilBegun(3, 'other');
    expect((await begun()).filter(({ name, at }) => name === 'nightly' && at > removedAt)).toEqual([]);
    expect(await queue.schedules.list()).toMatchObject([{ name: 'other', cron: EVERY_SECOND, by: 'ann' }]);
  });

  test('[U8] a taken name is refused and changes nothing', async () => {
    await worker();
    await add('nightly', '0 3 * * *');
    const other = { timeZone: 'UTC', project: 'name:other', folder: '', by: 'bob', order: {} };
    expect(await queue.schedules.add({ name: 'nightly', cron: EVERY_SECOND, ...other })).toBe(false);
    const both = await Promise.all(
      ['1 3 * * *', '2 3 * * *'].map((cron) => queue.schedules.add({ name: 'twice', cron, ...other })),
    );
    expect(both.filter(Boolean)).toEqual([true]);
    expect(await kept()).toMatchObject({ cron: '0 3 * * *', by: 'ann', waiting: 0, last: null });
  });

  test('[U8] where no worker ever was, a schedule is refused with what to do', async () => {
    await expect(add()).rejects.toMatchObject({ code: 'WORKERS_NONE' });
    await expect(queue.schedules.list()).rejects.toMatchObject({ code: 'WORKERS_NONE' });
  });

  test('[U8] a firing waits for a worker that has the project; one that is removed first begins nothing', async () => {
    const plain = await worker();
    await add();
    await vi.waitFor(async () => expect((await kept())?.waiting).toBeGreaterThan(0), SOON);
    expect(await begun()).toEqual([]);
    const able = await worker(HERE);
    await untilBegun(1);
    expect(plain.lines.filter((line) => line.startsWith('begins '))).toEqual([]);
    able.signal('SIGTERM');
    expect(await able.ended()).toBe(0);
    await vi.waitFor(async () => expect((await kept())?.waiting).toBeGreaterThan(0), SOON);
    plain.signal('SIGTERM');
    expect(await plain.ended()).toBe(0);
    const before = await begun();
    await queue.schedules.remove('nightly');
    await worker(HERE);
    await add('other');
    await untilBegun(2, 'other');
    expect((await begun()).filter(({ name }) => name === 'nightly')).toEqual(before);
  });

  test('[U8] a schedule that is removed takes no firing of another one along', async () => {
    await worker();
    await add('a_b', '0 3 1 1 *');
    await add('axb', '0 3 1 1 *');
    for (const name of ['a_b', 'axb']) await queue.schedules.fire(name, 1000);
    await queue.schedules.remove('a_b');
    expect(await queue.schedules.list()).toMatchObject([{ name: 'axb', waiting: 1 }]);
  });

  test('[U8] a beginning that failed is tried again', async () => {
    const one = await worker({ ...HERE, mode: 'failing', slots: 1 });
    await add();
    const first = await firstBeginning(one);
    await one.said(`began ${first}`);
    expect(one.lines.filter((line) => line === `begins ${first}`)).toHaveLength(2);
  });

  /** The run of the first firing that it took. */
  const firstBeginning = async ({ lines }: WorkerProcess): Promise<string> =>
    await vi.waitFor(() => {
      const line = lines.find((one) => one.startsWith('begins '));
      expect(line).toBeDefined();
      return line?.slice('begins '.length) ?? '';
    }, SOON);

  test('[U8] what a killed worker was about to begin is begun by another one', async () => {
    const stuck = await worker({ ...HERE, mode: 'stuck' });
    await add();
    const first = await firstBeginning(stuck);
    stuck.signal('SIGKILL');
    const other = await worker(HERE);
    await other.said(`began ${first}`);
    expect((await begun()).map(scheduledRunId)).toContain(first);
  });

  test('[U8] a firing that a dead worker had taken is taken again, and its run is not begun twice', async () => {
    const one = await worker(HERE);
    await add();
    await untilBegun(1);
    await queue.schedules.remove('nightly');
    await vi.waitFor(async () => expect(await open()).toEqual([]), SOON);
    const [{ at } = { at: 0 }] = await begun();
    const run = scheduledRunId({ name: 'nightly', at });
    expect(one.lines.filter((line) => line === `ended ${run}`)).toHaveLength(1);
    // As if its worker had been killed before it queued the beginning.
    await add('nightly', '0 3 1 1 *');
    await cluster.query(address, `delete from dbos.workflow_status where workflow_uuid = 'nightly@${at}#1'`);
    await cluster.query(
      address,
      `update dbos.workflow_status set status = 'PENDING', executor_id = 'gone', output = null, completed_at = null
       where workflow_uuid = 'sched-nightly-${new Date(at).toISOString()}'`,
    );
    await vi.waitFor(() => expect(one.lines.filter((line) => line === `ended ${run}`)).toHaveLength(2), SOON);
    expect(one.lines.filter((line) => line === `began ${run}`)).toHaveLength(1);
    await vi.waitFor(async () => expect(await open()).toEqual([]), SOON);
    const last = { at: Math.max(...(await begun()).map((one) => one.at)), reason: null };
    expect(await kept()).toMatchObject({ waiting: 0, last });
  });

  const open = (): Promise<readonly unknown[]> =>
    cluster.query(address, `select 1 from dbos.workflow_status where status in ('PENDING', 'ENQUEUED', 'DELAYED')`);
});

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';

import { foldRecords } from '../../core/fold/fold.ts';
import type { RunId } from '../../core/model/ids.ts';
import type { Definition } from '../../core/model/definition.ts';
import { openPostgresJournal } from '../../journal/postgres/postgres-journal.ts';
import { startLossyProxy } from '../../journal/postgres/testing/lossy-proxy.ts';
import { hasServer, startCluster, type TestCluster } from '../../journal/postgres/testing/test-cluster.ts';
import { createEmbeddedHost } from '../embedded/embedded-host.ts';
import type { Host } from '../port.ts';
import { asking } from '../testing/asking.ts';
import { build, end, expression, to, turn, work } from '../testing/build-definition.ts';
import { testWorld } from '../testing/test-world.ts';
import { untilStopped } from '../testing/until-stopped.ts';
import { startWorkerProcess, type WorkerManner, type WorkerProcess } from './testing/start-worker.ts';
import { openWorkQueue, type WorkQueue } from './work-queue.ts';
import type { PostgresJournal } from '../../journal/postgres/shared-journal.ts';

/** Longer than any takeover takes. */
const SOON = 30_000;

const oneTurn = (): Definition =>
  build({ states: [work('code', turn('coder', "'go'"), [to('stop')]), end('stop', "'finished'")] });

describe.skipIf(!hasServer())('workers', { timeout: 90_000 }, () => {
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

  const worker = async (manner?: WorkerManner, through = address): Promise<WorkerProcess> => {
    const made = await startWorkerProcess(through, manner);
    started.push(made);
    return made;
  };

  const ownHost = (): Host =>
    createEmbeddedHost(testWorld({ journal, owner: 'laptop', answer: untilStopped().answer }));

  /** A run that has begun here and that no process drives. */
  const begun = async (definition = oneTurn(), needs: readonly string[] = []): Promise<RunId> => {
    const host = ownHost();
    const run = await host.start({ definition, input: {}, project: '/projects/one', title: 'a run', needs });
    await host.shutdown();
    return run;
  };

  const untilStatus = (run: RunId, status: string): Promise<void> =>
    vi.waitFor(async () => expect(await journal.run(run)).toMatchObject({ status, driven: false }), SOON);

  const entries = (): Promise<readonly unknown[]> =>
    cluster.query(
      address,
      'select workflow_uuid as id, status, priority, queue_partition_key as lane from dbos.workflow_status order by created_at',
    );

  test('[U8] a run is queued once, and driven once', async () => {
    const first = await worker();
    first.signal('SIGTERM');
    expect(await first.ended()).toBe(0);
    const run = await begun();
    await queue.enqueue(run, { project: '/projects/one', priority: 7 });
    await queue.enqueue(run, { project: '/projects/one' });
    const entry = { id: `${run}#1`, priority: 7, lane: '["/projects/one"]' };
    expect(await entries()).toEqual([{ ...entry, status: 'ENQUEUED' }]);
    const one = await worker();
    await one.said(`drove ${run}`);
    expect(await journal.run(run)).toMatchObject({ status: 'settled', outcome: 'ok' });
    expect(one.lines.filter((line) => line === `called ${run}`)).toHaveLength(1);
    await vi.waitFor(async () => expect(await entries()).toEqual([{ ...entry, status: 'SUCCESS' }]), SOON);
  });

  test('[U8] where no worker ever was, queueing is refused with what to do', async () => {
    await expect(queue.enqueue(await begun(), { project: 'p' })).rejects.toMatchObject({ code: 'WORKERS_NONE' });
  });

  test('[U8] the run of a killed worker goes on at another one', async () => {
    const one = await worker({ mode: 'stuck' });
    const run = await begun();
    await queue.enqueue(run, { project: 'p' });
    await one.said(`called ${run}`);
    const other = await worker();
    one.signal('SIGKILL');
    await other.said(`drove ${run}`);
    expect(await journal.run(run)).toMatchObject({ status: 'settled', outcome: 'ok' });
    // Taken over, not queued a second time.
    expect(await entries()).toMatchObject([{ id: `${run}#1` }]);
  });

  test('[U8] the run of a frozen worker goes on at another one; awake again, it changes nothing', async () => {
    const one = await worker({ mode: 'stuck' });
    const run = await begun();
    await queue.enqueue(run, { project: 'p' });
    await one.said(`called ${run}`);
    one.signal('SIGSTOP');
    const other = await worker();
    await other.said(`drove ${run}`);
    const { tip } = (await journal.run(run)) ?? {};
    one.signal('SIGCONT');
    one.signal('SIGTERM');
    expect(await one.ended()).toBe(0);
    expect(await journal.run(run)).toMatchObject({ status: 'settled', outcome: 'ok', tip });
    expect((await journal.workers()).filter(({ isAlive }) => isAlive)).toHaveLength(2);
  });

  test('[U8] a worker whose network comes back without its connections takes runs again, and ends when it is asked to', async () => {
    const link = await startLossyProxy(address);
    const one = await worker({}, link.address);
    const isAlive = async (): Promise<readonly boolean[]> => (await journal.workers()).map((each) => each.isAlive);
    link.cut();
    await vi.waitFor(async () => expect(await isAlive()).toEqual([false]), SOON);
    link.reconnect();
    await vi.waitFor(async () => expect(await isAlive()).toEqual([true]), SOON);
    const run = await begun();
    await queue.placement(journal).offer(run);
    await untilStatus(run, 'settled');
    expect(one.lines).toContain(`took ${run}`);
    one.signal('SIGTERM');
    expect(await one.ended()).toBe(0);
    await link.close();
  });

  test('[U8] a worker that is drained hands its runs over and ends', async () => {
    const one = await worker({ mode: 'stuck' });
    const run = await begun();
    await queue.enqueue(run, { project: 'p' });
    await one.said(`called ${run}`);
    const other = await worker();
    one.signal('SIGTERM');
    expect(await one.ended()).toBe(0);
    await other.said(`drove ${run}`);
    expect(await journal.run(run)).toMatchObject({ status: 'settled', outcome: 'ok' });
    expect(await entries()).toMatchObject([{ id: `${run}#1` }]);
  });

  test('[U8] a run that could not be driven is tried again', async () => {
    const one = await worker({ mode: 'failing' });
    const run = await begun();
    await queue.enqueue(run, { project: 'p' });
    await vi.waitFor(async () => expect(await queue.lastFailure(run)).toMatchObject({ failures: 1 }), SOON);
    expect(await queue.lastFailure(run)).toMatchObject({ reason: 'This machine does not have the project.' });
    await one.said(`drove ${run}`);
    expect(await journal.run(run)).toMatchObject({ status: 'settled', outcome: 'ok' });
    expect(await entries()).toMatchObject([{ id: `${run}#1`, status: 'SUCCESS' }, { id: `${run}#2` }]);
  });

  test('[U8] a run that is neither driven nor queued is found', async () => {
    const run = await begun();
    const one = await worker();
    await one.said(`drove ${run}`);
    expect(await journal.run(run)).toMatchObject({ status: 'settled', outcome: 'ok' });
  });

  test('[U8] a worker takes only runs that need no more than it offers', async () => {
    const one = await worker();
    const wanting = await begun(oneTurn(), ['label gpu']);
    await queue.enqueue(wanting, { project: 'p', needs: ['label gpu'] });
    const plain = await begun();
    await queue.enqueue(plain, { project: 'p' });
    await one.said(`drove ${plain}`);
    expect(await entries()).toMatchObject([{ id: `${wanting}#1`, status: 'ENQUEUED' }, { id: `${plain}#1` }]);
    const other = await worker({ offers: ['label gpu', 'label linux'] });
    await other.said(`drove ${wanting}`);
    expect(one.lines).not.toContain(`took ${wanting}`);
  });

  test('[U8] a queued run that needs something else by now is taken by a worker that has it', async () => {
    const one = await worker();
    const run = await begun(oneTurn(), ['client codex']);
    await queue.enqueue(run, { project: '/projects/one', needs: ['client codex'] });
    const host = ownHost();
    const definition = { ...oneTurn(), chosen: { models: ['other'] } } as unknown as Definition;
    await host.redefine(run, { definition, by: 'ann', needs: [] });
    await host.shutdown();
    expect(await journal.run(run)).toMatchObject({ needs: [] });
    // Found by the index of runs that are at work, whatever else is kept of them.
    expect(await journal.undriven()).toEqual([{ run }]);
    await queue.placement(journal).offer(run);
    await one.said(`drove ${run}`);
    const queued = (await entries()) as readonly { readonly id: string; readonly status: string }[];
    expect(queued[0]).toMatchObject({ id: `${run}#1`, status: 'CANCELLED' });
    expect(queued[1]).toMatchObject({ id: `${run}#2`, lane: '["/projects/one"]' });
  });

  test('[U8] a project with many queued runs does not keep those of another one waiting', async () => {
    const first = await worker();
    first.signal('SIGTERM');
    expect(await first.ended()).toBe(0);
    const many: RunId[] = [];
    for (let count = 0; count < 20; count += 1) many.push(await begun());
    for (const run of many) await queue.enqueue(run, { project: 'many' });
    const single = await begun();
    await queue.enqueue(single, { project: 'single' });
    const one = await worker({ slots: 1 });
    await one.said(`drove ${single}`);
    // Lanes take turns by chance: all of the other one first would be one case in a million.
    expect(many.filter((run) => one.lines.includes(`drove ${run}`)).length).toBeLessThan(20);
  });

  test('[U8] with one slot, the run with the lowest priority goes first, in whichever project it is', async () => {
    const first = await worker();
    first.signal('SIGTERM');
    expect(await first.ended()).toBe(0);
    const [usual, soon, sooner, soonest] = [await begun(), await begun(), await begun(), await begun()];
    await queue.enqueue(usual, { project: 'p' });
    await queue.enqueue(soon, { project: 'q', priority: 50 });
    await queue.enqueue(sooner, { project: 'p', priority: 5 });
    await queue.enqueue(soonest, { project: 'q', priority: 1 });
    const one = await worker({ slots: 1 });
    await one.said(`drove ${usual}`);
    const took = one.lines.filter((line) => line.startsWith('took'));
    expect(took).toEqual([soonest, sooner, soon, usual].map((run) => `took ${run}`));
  });

  const AN_HOUR = 3_600_000;
  const nap = work('nap', { kind: 'wait', ms: expression(String(AN_HOUR)) }, [to('stop')]);
  const napping = build({ states: [nap, end('stop')] });

  /** Until the run sleeps, and is queued for the time that it wakes. */
  const untilAsleep = async (run: RunId, n = 2): Promise<number> => {
    const entry = { id: `${run}#${n}`, status: 'DELAYED' };
    await vi.waitFor(async () => expect(await entries()).toContainEqual(expect.objectContaining(entry)), SOON);
    const { wakesAt = 0, ...info } = (await journal.run(run)) ?? {};
    expect(info).toMatchObject({ status: 'running', driven: false });
    return wakesAt;
  };

  test('[U8] a run that waits for a time that is far away holds neither slot nor lease, and is queued for that time', async () => {
    const one = await worker({ slots: 1 });
    const run = await begun(napping);
    await one.said(`drove ${run}`);
    const wakesAt = await untilAsleep(run);
    const { tasks } = foldRecords(await journal.read(run));
    expect(Object.values(tasks).map((task) => task.work)).toEqual([{ kind: 'wait', until: wakesAt }]);
    const delay = 'select delay_until_epoch_ms::float8 as at from dbos.workflow_status where delay_until_epoch_ms > 0';
    await vi.waitFor(async () => expect(await cluster.query(address, delay)).toEqual([{ at: wakesAt }]), SOON);
    await one.said(`drove ${await begun()}`);
    expect(one.lines.filter((line) => line === `took ${run}`)).toHaveLength(1);
  });

  test('[U8] a run goes on when its time has come, wherever it slept', async () => {
    const one = await worker();
    const run = await begun(napping);
    await untilAsleep(run);
    one.signal('SIGKILL');
    await one.ended();
    const other = await worker({ aheadMs: 2 * AN_HOUR });
    // By its clock the delay is over: DBOS itself ends it.
    await other.said(`drove ${run}`);
    expect(await journal.run(run)).toMatchObject({ status: 'settled', outcome: 'ok' });
  });

  test('[U8] a run that a worker whose clock is ahead sets free too early is taken once more, and kept until it wakes', async () => {
    const one = await worker({ offers: ['label gpu'] });
    const run = await begun(napping, ['label gpu']);
    await untilAsleep(run);
    await worker({ aheadMs: 2 * AN_HOUR });
    const early = { id: `${run}#2`, status: 'SUCCESS' };
    await vi.waitFor(async () => expect(await entries()).toContainEqual(expect.objectContaining(early)), SOON);
    const kept = (await journal.run(run)) ?? {};
    expect(kept).toMatchObject({ status: 'running', driven: true });
    expect(kept).not.toHaveProperty('wakesAt');
    const lines = [`took ${run}`, `drove ${run}`, `took ${run}`];
    await vi.waitFor(() => expect(one.lines.filter((line) => line.endsWith(run))).toEqual(lines), SOON);
  });

  test('[U8] a sleeping run whose entry was lost is queued again for its time', async () => {
    const one = await worker();
    const run = await begun(napping);
    const wakesAt = await untilAsleep(run);
    await cluster.query(address, `delete from dbos.workflow_status where status = 'DELAYED'`);
    expect(await untilAsleep(run)).toBe(wakesAt);
    expect(one.lines.filter((line) => line === `took ${run}`)).toHaveLength(1);
  });

  test('[U8] a sleeping run and those that share its files are woken by a message to one of them', async () => {
    await worker();
    const call = work('call', { kind: 'call', workflow: 'napping', input: {} }, [to('stop')]);
    const library = { napping: { ...napping.workflow, name: 'napping' } };
    const run = await begun(build({ library, states: [call, end('stop')] }));
    await untilAsleep(run);
    const [child] = await journal.runs({ parent: run });
    expect(child).toMatchObject({ driven: false, wakesAt: expect.any(Number) });
    const host = ownHost();
    await host.cancel(child?.run ?? run, 'ann', 'enough');
    await untilStatus(run, 'settled');
    await host.shutdown();
  });

  test('[U8] a worker that is asked through the journal to drain hands its runs over and ends', async () => {
    const one = await worker({ mode: 'stuck' });
    const run = await begun();
    await one.said(`called ${run}`);
    const { id = '' } = (await journal.workers()).find(({ runs }) => runs.includes(run)) ?? {};
    const other = await worker();
    expect(await journal.drain(id)).toBe(true);
    expect(await journal.drain('missing')).toBe(false);
    expect(await one.ended()).toBe(0);
    await other.said(`drove ${run}`);
  });

  test('[U8] a run that waits for a person holds no worker, and goes on when it is answered', async () => {
    const one = await worker();
    const run = await begun(asking('Which?'));
    await queue.enqueue(run, { project: 'p' });
    await one.said(`drove ${run}`);
    expect(await journal.run(run)).toMatchObject({ status: 'waiting', driven: false });
    const host = ownHost();
    expect(await host.answer(run, { answer: 'this one', by: 'ann' })).toBe('sent');
    await untilStatus(run, 'settled');
    expect(await host.rest(run)).toMatchObject({ outcome: 'ok', output: 'this one' });
    await host.shutdown();
  });

  test('[U8] a run that a person paused stays paused when a worker takes it', async () => {
    const run = await begun();
    const host = ownHost();
    await host.pause(run, 'ann', 'lunch');
    const one = await worker();
    await one.said(`drove ${run}`);
    expect(await journal.run(run)).toMatchObject({ status: 'paused', driven: false });
    await host.shutdown();
  });
});

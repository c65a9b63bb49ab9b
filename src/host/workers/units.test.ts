import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';

import { foldRecords } from '../../core/fold/fold.ts';
import type { RunId } from '../../core/model/ids.ts';
import type { Definition } from '../../core/model/definition.ts';
import { openPostgresJournal } from '../../journal/postgres/postgres-journal.ts';
import type { PostgresJournal } from '../../journal/postgres/shared-journal.ts';
import { hasServer, startCluster, type TestCluster } from '../../journal/postgres/testing/test-cluster.ts';
import { createEmbeddedHost } from '../embedded/embedded-host.ts';
import { asking } from '../testing/asking.ts';
import { build, each, end, expression, to, turn, work } from '../testing/build-definition.ts';
import { testWorld } from '../testing/test-world.ts';
import { untilStopped } from '../testing/until-stopped.ts';
import { startWorkerProcess, type WorkerManner, type WorkerProcess } from './testing/start-worker.ts';

const SOON = 45_000;

const leaf = build({
  name: 'leaf',
  states: [work('code', turn('coder', 'common_data.job'), [to('stop')]), end('stop', "'did ' + common_data.job")],
}).workflow;

const spread = (name: string, jobs: string, workflow: string, slots: number) =>
  work(name, each(jobs, { kind: 'call', workflow, workspace: 'own', input: { job: expression('item') } }, slots), [
    to('stop', { assign: 'this.common_data.results = result.units' }),
  ]);

/** A pool of six units. */
const pool = (): Definition =>
  build({
    data: { jobs: ['1', '2', '3', '4', '5', '6'] },
    library: { leaf },
    states: [spread('jobs', 'common_data.jobs', 'leaf', 6), end('stop', 'common_data.results')],
  });

/** A pool of two runs that are pools of two runs. */
const nested = (): Definition => {
  const parts = spread('parts', "[common_data.job + 'a', common_data.job + 'b']", 'leaf', 2);
  const middle = build({ name: 'middle', states: [parts, end('stop', "'done'")] }).workflow;
  return build({
    data: { jobs: ['1', '2'] },
    library: { leaf, middle },
    states: [spread('jobs', 'common_data.jobs', 'middle', 2), end('stop', "'done'")],
  });
};

describe.skipIf(!hasServer())('units on workers', { timeout: 120_000 }, () => {
  let cluster: TestCluster;
  let address: string;
  let journal: PostgresJournal;
  let folder: string;
  const started: WorkerProcess[] = [];
  beforeAll(async () => {
    cluster = await startCluster();
  });
  beforeEach(async () => {
    address = await cluster.database();
    journal = await openPostgresJournal({ address });
    folder = mkdtempSync(join(tmpdir(), 'troupe-units-'));
  });
  afterEach(async () => {
    for (const worker of started) worker.signal('SIGKILL');
    await Promise.all(started.splice(0).map((worker) => worker.ended()));
    await journal.close();
    rmSync(folder, { recursive: true });
  });
  afterAll(() => cluster?.dispose());

  const worker = async (manner: WorkerManner): Promise<WorkerProcess> => {
    const made = await startWorkerProcess(address, manner);
    started.push(made);
    return made;
  };

  /** A run that waits for a worker; what it offers before a process drives it, workers take as well. */
  const begun = async (definition: Definition): Promise<RunId> => {
    const world = testWorld({ journal, owner: 'laptop', answer: untilStopped().answer });
    const host = createEmbeddedHost({ ...world, placement: { offer: () => Promise.resolve(true) } });
    const run = await host.start({ definition, input: {}, project: '/projects/one', title: 'a run' });
    await host.shutdown();
    return run;
  };

  const untilSettled = (run: RunId): Promise<void> =>
    vi.waitFor(
      async () => expect(await journal.run(run)).toMatchObject({ status: 'settled', outcome: 'ok', driven: false }),
      { timeout: SOON, interval: 100 },
    );

  const calls = ({ lines }: WorkerProcess): readonly string[] => lines.filter((line) => line.startsWith('called '));

  const untilBothCalled = (one: WorkerProcess, other: WorkerProcess): Promise<void> =>
    vi.waitFor(() => expect([calls(one).length, calls(other).length]).toEqual([2, 2]), { timeout: SOON, interval: 50 });

  test('[U8] the units of a run are driven by several workers, each unit once', async () => {
    const gate = join(folder, 'open');
    const one = await worker({ gate });
    const other = await worker({ gate });
    const run = await begun(pool());
    await untilBothCalled(one, other);
    writeFileSync(gate, '');
    await untilSettled(run);
    const units = await journal.runs({ parent: run });
    expect(units.map(({ outcome }) => outcome)).toEqual(Array(6).fill('ok'));
    const expected = units.map((unit) => `called ${unit.run}`);
    expect([...calls(one), ...calls(other)].toSorted()).toEqual(expected.toSorted());
    const { usage } = foldRecords(await journal.read(run));
    expect(usage.calls).toBe(6);
  });

  test('[U8] nested units come to their end on one worker with one slot', async () => {
    const one = await worker({ slots: 1 });
    const run = await begun(nested());
    await untilSettled(run);
    expect(await journal.runs({ root: run })).toHaveLength(7);
    expect(calls(one)).toHaveLength(4);
  });

  test('[U8] when the worker that drives a run and some of its units is killed, others go on with all of them', async () => {
    const gate = join(folder, 'open');
    const one = await worker({ gate });
    const run = await begun(pool());
    await one.said(`took ${run}`);
    const other = await worker({ gate });
    await untilBothCalled(one, other);
    one.signal('SIGKILL');
    writeFileSync(gate, '');
    await untilSettled(run);
    const units = await journal.runs({ parent: run });
    expect(units.map(({ outcome }) => outcome)).toEqual(Array(6).fill('ok'));
    expect(other.lines).toContain(`took ${run}`);
    const ends = await Promise.all(units.map(async (unit) => await journal.read(unit.run)));
    for (const records of ends) expect(records.filter(({ fact }) => fact.kind === 'run.settled')).toHaveLength(1);
  });

  test('[U8] a unit that waits for a person lets its run rest too; both go on when it is answered', async () => {
    const one = await worker({});
    const run = await begun(
      build({
        library: { asking: { ...asking('Which?').workflow, name: 'asking' } },
        states: [spread('jobs', "['1']", 'asking', 1), end('stop', "'done'")],
      }),
    );
    await one.said(`drove ${run}`);
    const isResting = async (): Promise<void> => {
      const [unit] = await journal.runs({ parent: run });
      expect(unit).toMatchObject({ status: 'waiting', driven: false, isOffered: true });
      expect(await journal.run(run)).toMatchObject({ status: 'running', isWaitingBelow: true, driven: false });
      // Nothing is to be queued again before someone acts.
      expect(await journal.undriven()).toEqual([]);
    };
    // The last word of the unit may wake its run once more.
    await vi.waitFor(isResting, { timeout: SOON, interval: 50 });
    const host = createEmbeddedHost(testWorld({ journal, owner: 'laptop', answer: untilStopped().answer }));
    expect(await host.answer(run, { answer: 'this one', by: 'ann' })).toBe('sent');
    await untilSettled(run);
    await host.shutdown();
  });

  test('[U8] a worker that is drained hands over the run that waits for its units', async () => {
    const one = await worker({ mode: 'stuck' });
    const run = await begun(pool());
    await one.said(`took ${run}`);
    await vi.waitFor(() => expect(calls(one)).toHaveLength(2), { timeout: SOON });
    const other = await worker({});
    one.signal('SIGTERM');
    expect(await one.ended()).toBe(0);
    await untilSettled(run);
    expect(other.lines).toContain(`took ${run}`);
  });
});

import { hostname } from 'node:os';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { runId, type RunId } from '../../src/core/model/ids.ts';
import { createEmbeddedHost } from '../../src/host/embedded/embedded-host.ts';
import { says, testWorld } from '../../src/host/testing/test-world.ts';
import { openPostgresJournal } from '../../src/journal/postgres/postgres-journal.ts';
import { hasServer, startCluster, type TestCluster } from '../../src/journal/postgres/testing/test-cluster.ts';
import { driversOf, noted, stopWorkers } from '../cluster/support/worker-machines.ts';
import { ASKING, scriptedProject, TWO_STEPS } from './projects.ts';
import { jsonLines, type Running, type Sandbox } from './sandbox.ts';
import type { PostgresJournal } from '../../src/journal/postgres/shared-journal.ts';

const SOON = 30_000;

const NAP = `import { defineWorkflow } from 'troupe';
export const nap = defineWorkflow({
  name: 'nap',
  data: {},
  states: {
    start: { work: { kind: 'wait', ms: 3000 }, transitions: ['done'] },
    done: { kind: 'end', output: "'rested'" },
  },
});
`;

const NIGHT = NAP.replace("['done']", "['work']")
  .replace('3000', '36e5')
  .replace('data: {},', 'data: {}, agents: { worker: {} },')
  .replace(
    'done:',
    `work: { work: { kind: 'turn', agent: 'worker', input: "'Work'" }, transitions: ['done'] },\n    done:`,
  );

test('[U8] a worker without a shared journal is refused with what to do', async () => {
  const sandbox = scriptedProject({});
  const { code, stderr } = await sandbox.troupe(['worker']);
  expect(code).toBe(2);
  expect(stderr).toContain('JOURNAL_NOT_SHARED');
  expect(stderr).toContain('postgres://');
  expect((await sandbox.troupe(['workers'])).stdout).toContain('There are no workers.');
});

describe.skipIf(!hasServer())('with its own PostgreSQL', { timeout: 90_000 }, () => {
  let cluster: TestCluster;
  let environment: { readonly TROUPE_JOURNAL: string };
  beforeAll(async () => {
    cluster = await startCluster();
  });
  beforeEach(async () => {
    environment = { TROUPE_JOURNAL: await cluster.database() };
  });
  afterAll(() => cluster?.dispose());

  const startWorker = async (sandbox: Sandbox, ...more: readonly string[]): Promise<Running> => {
    const worker = sandbox.start(['worker', '--slots', '2', '--json', ...more], { environment });
    expect(JSON.parse((await worker.lines.next()).value ?? '')).toEqual({ kind: 'worker.started', slots: 2 });
    return worker;
  };

  /** A run that waits for an answer, and that no process drives. */
  const asking = async (sandbox: Sandbox): Promise<RunId> => {
    const { stdout } = await sandbox.troupe(['run', 'asking.ts', '--detach', '--json'], { environment });
    return runId(String(jsonLines(stdout)[0]?.['run']));
  };

  /** As by somebody who has no means to drive it. */
  const answer = async (journal: PostgresJournal, run: RunId): Promise<void> => {
    const host = createEmbeddedHost(testWorld({ journal, answer: () => says('') }));
    expect(await host.answer(run, { answer: 'red', by: 'ann' })).toBe('sent');
    await host.shutdown();
  };

  test('[U8] a worker drives what others leave in the journal, is listed, and ends when it is asked to', async () => {
    const sandbox = scriptedProject({ 'asking.ts': ASKING });
    const run = await asking(sandbox);
    const worker = await startWorker(sandbox);
    const listed = await sandbox.troupe(['workers', '--json'], { environment });
    expect(jsonLines(listed.stdout)).toMatchObject([
      {
        kind: 'workers',
        items: [{ name: `${hostname()}/${worker.child.pid}`, isAlive: true, slots: 2, runs: [] }],
        next: null,
      },
    ]);
    expect((await sandbox.troupe(['workers'], { environment })).stdout).toMatch(/\/\d+ +alive .* 0 of 2 /);
    const journal = await openPostgresJournal({ address: environment.TROUPE_JOURNAL });
    await answer(journal, run);
    await vi.waitFor(async () => expect(await journal.run(run)).toMatchObject({ status: 'settled' }), SOON);
    worker.child.kill('SIGTERM');
    expect(await worker.ended).toMatchObject({ code: 0 });
    expect((await sandbox.troupe(['workers'], { environment })).stdout).toContain('There are no workers.');
    const shown = await sandbox.troupe(['show', run, '--json'], { environment });
    expect(jsonLines(shown.stdout)).toMatchObject([{ status: 'settled', outcome: 'ok', output: 'red' }]);
    await journal.close();
  });

  test('[U8] what no worker offers waits, and the lists say for what; a worker is drained from anywhere', async () => {
    const sandbox = scriptedProject({ 'nap.ts': NAP });
    const journal = await openPostgresJournal({ address: environment.TROUPE_JOURNAL });
    const begun = await sandbox.troupe(['run', 'nap.ts', '--labels', 'gpu', '--detach', '--json'], { environment });
    const run = runId(String(jsonLines(begun.stdout)[0]?.['run']));
    const shown = async (): Promise<string> => (await sandbox.troupe(['show', run], { environment })).stdout;
    expect(await shown()).toContain('queued: no worker is running; start one with: troupe worker');
    const plain = await startWorker(sandbox);
    expect(await shown()).toContain('queued: no worker offers label gpu');
    expect((await sandbox.troupe(['list'], { environment })).stdout).toContain('queued · no worker offers label gpu');
    const watching = sandbox.start(['watch', run], { environment });
    let watched = '';
    watching.child.stderr?.on('data', (chunk: Buffer) => (watched += chunk.toString()));
    await vi.waitFor(() => expect(watched).toContain('This run is queued: no worker offers label gpu.'), SOON);
    const refused = await sandbox.troupe(['worker', '--drain', 'mill/1'], { environment });
    expect(refused.stderr).toContain('WORKER_UNKNOWN');
    const name = `${hostname()}/${plain.child.pid}`;
    expect(refused.stderr).toContain(name);
    expect((await sandbox.troupe(['worker', '--drain', name], { environment })).code).toBe(0);
    expect(await plain.ended).toMatchObject({ code: 0 });
    const able = await startWorker(sandbox, '--labels', 'gpu,linux');
    expect(await watching.ended).toMatchObject({ code: 0 });
    expect(await journal.run(run)).toMatchObject({ status: 'settled' });
    able.child.kill('SIGTERM');
    expect(await able.ended).toMatchObject({ code: 0 });
    const misspelt = await sandbox.troupe(['worker', '--labels', 'a b'], { environment });
    expect(misspelt.stderr).toContain('LABEL_INVALID');
    await journal.close();
  });

  test('[U8] the priority of the command line is that of the entry in the queue', async () => {
    const sandbox = scriptedProject({ 'nap.ts': NAP });
    const worker = await startWorker(sandbox);
    const queued = async (...priority: readonly string[]): Promise<string> => {
      const words = ['run', 'nap.ts', '--labels', 'gpu', '--detach', '--json', ...priority];
      const { code, stdout, stderr } = await sandbox.troupe(words, { environment });
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      return String(jsonLines(stdout)[0]?.['run']);
    };
    const [soon, usual] = [await queued('--priority', '7'), await queued()];
    const rows = 'select workflow_uuid as id, priority from dbos.workflow_status order by priority';
    expect(await cluster.query(environment.TROUPE_JOURNAL, rows)).toEqual([
      { id: `${soon}#1`, priority: 7 },
      { id: `${usual}#1`, priority: 100 },
    ]);
    worker.child.kill('SIGTERM');
    expect(await worker.ended).toMatchObject({ code: 0 });
  });

  test('[U8] a workflow whose file names labels waits for a worker that offers them, and says so', async () => {
    const trained = JSON.stringify({ ...TWO_STEPS, workflow_name: 'trained', labels: ['gpu'] });
    const sandbox = scriptedProject({ '.troupe/workflows/trained.json': trained });
    const plain = await startWorker(sandbox);
    const following = sandbox.start(['run', 'trained', 'Train it'], { environment });
    const said = noted(following);
    await vi.waitFor(() => expect(said()).toContain('is queued: no worker offers label gpu.'), SOON);
    expect((await sandbox.troupe(['list'], { environment })).stdout).toContain('queued · no worker offers label gpu');
    const able = await startWorker(sandbox, '--labels', 'gpu');
    expect(await following.ended).toMatchObject({ code: 0, stdout: 'Done.\n' });
    const journal = await openPostgresJournal({ address: environment.TROUPE_JOURNAL });
    const [{ run } = { run: runId('') }] = await journal.runs();
    expect((await driversOf(journal, run)).get(run)?.[0]).toBe(able.child.pid);
    await journal.close();
    await stopWorkers([plain, able]);
  });

  test('[U8] a sleeping run needs no person: faces say that it continues by itself, and follow it', async () => {
    const sandbox = scriptedProject({ 'night.ts': NIGHT });
    const journal = await openPostgresJournal({ address: environment.TROUPE_JOURNAL });
    const worker = await startWorker(sandbox);
    const begun = await sandbox.troupe(['run', 'night.ts', '--detach', '--json'], { environment });
    const run = runId(String(jsonLines(begun.stdout)[0]?.['run']));
    const asleep = { status: 'running', driven: false, wakesAt: expect.any(Number) };
    const untilAsleep = () => vi.waitFor(async () => expect(await journal.run(run)).toMatchObject(asleep), SOON);
    await untilAsleep();
    const listed = await sandbox.troupe(['list', '--json'], { environment });
    expect(jsonLines(listed.stdout)).toMatchObject([{ items: [{ run, queued: { kind: 'sleeps' } }] }]);
    const following = sandbox.start(['logs', run, '--follow', '--json-lines'], { environment });
    await following.lines.next();
    const sent = await sandbox.troupe(['tell', run, 'worker', 'Use tabs.', '--json'], { environment });
    expect(jsonLines(sent.stdout)).toMatchObject([{ kind: 'agent.told', queued: { kind: 'free-soon' } }]);
    await sandbox.troupe(['cancel', run], { environment });
    expect((await following.ended).stdout).toContain('Use tabs.');
    worker.child.kill('SIGTERM');
    expect(await worker.ended).toMatchObject({ code: 0 });
    await journal.close();
  });

  test('[U8] a run that is to be cancelled ends when a worker takes it, and a face says which of the two it is', async () => {
    const sandbox = scriptedProject({ 'asking.ts': ASKING });
    const journal = await openPostgresJournal({ address: environment.TROUPE_JOURNAL });
    const cancel = (run: RunId) => sandbox.troupe(['cancel', run], { environment });
    const untilOver = (run: RunId): Promise<void> =>
      vi.waitFor(async () => expect(await journal.run(run)).toMatchObject({ outcome: 'cancelled' }), SOON);
    const early = await asking(sandbox);
    expect((await cancel(early)).stderr).toContain(`Asked to cancel ${early}: it ends when a worker takes it.`);
    expect(await journal.run(early)).not.toMatchObject({ status: 'settled' });
    const worker = await startWorker(sandbox);
    await untilOver(early);
    const late = await asking(sandbox);
    const isWaiting = async () => expect(await journal.run(late)).toMatchObject({ status: 'waiting', driven: false });
    await vi.waitFor(isWaiting, SOON);
    expect((await cancel(late)).stderr).toContain(`Cancelled ${late}.`);
    expect(await journal.run(late)).toMatchObject({ status: 'settled', outcome: 'cancelled' });
    worker.child.kill('SIGTERM');
    expect(await worker.ended).toMatchObject({ code: 0 });
    await journal.close();
  });
});

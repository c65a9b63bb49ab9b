import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { parseScenario } from '../../src/actors/scripted/scenario.ts';
import { startScriptedServer, type ScriptedServer } from '../../src/actors/scripted/scripted-server.ts';
import type { RunId } from '../../src/core/model/ids.ts';
import { createEmbeddedHost } from '../../src/host/embedded/embedded-host.ts';
import { build, each, end, expression, to, turn, work } from '../../src/host/testing/build-definition.ts';
import { says, testWorld } from '../../src/host/testing/test-world.ts';
import { openPostgresJournal } from '../../src/journal/postgres/postgres-journal.ts';
import type { PostgresJournal } from '../../src/journal/postgres/shared-journal.ts';
import { hasServer, startCluster, type TestCluster } from '../../src/journal/postgres/testing/test-cluster.ts';
import { openSharedStore } from '../../src/workspace/travel/open-shared-store.ts';
import { sendProject } from '../../src/workspace/travel/send-project.ts';
import { createWorkspaces } from '../../src/workspace/workspaces.ts';
import { createSandbox, type Running, type Sandbox } from '../cli/sandbox.ts';
import { canMakeNetworks, forwardPort, makePrivateNetwork, type PrivateNetwork } from './support/private-network.ts';

const SOON = 60_000;
const WORKERS = 3;
const UNITS = 4;

const ROLES = { coder: { includedTools: [] } };

const leaf = build({
  name: 'leaf',
  roles: ROLES,
  states: [
    work('code', turn('coder', 'common_data.job'), [to('again')]),
    work('again', turn('coder', "'again'"), [to('stop')]),
    end('stop', "'did ' + common_data.job"),
  ],
}).workflow;

/** Spreads over the workers. */
const definition = build({
  roles: ROLES,
  data: { jobs: Array.from({ length: UNITS }, (_, index) => `job ${index}`) },
  library: { leaf },
  states: [
    work(
      'jobs',
      each('common_data.jobs', { kind: 'call', workflow: 'leaf', input: { job: expression('item') } }, UNITS),
      [to('last', { assign: 'this.common_data.results = result.units' })],
    ),
    work('last', turn('coder', "'all done'"), [to('stop')]),
    end('stop', "'done'"),
  ],
});

/** So much text that a full disk is noticed soon. */
const SCENARIO = { rules: [{ when: {}, reply: { say: 'words '.repeat(2000), delay_ms: 400 } }] };

interface Asked {
  readonly key: string;
  readonly at: number;
}

interface NetworkWorker {
  readonly running: Running;
  readonly index: number;
  said: string;
}

const isPossible = hasServer() && canMakeNetworks();

describe.skipIf(!isPossible)('three workers on their own machines', { timeout: 120_000 }, () => {
  let network: PrivateNetwork;
  let cluster: TestCluster;
  let model: ScriptedServer;
  let forwarding: Server;
  let journal: PostgresJournal;
  let address: string;
  let project: Sandbox;
  let small: string;
  const asked: Asked[] = [];
  const workers: NetworkWorker[] = [];

  beforeAll(async () => {
    network = makePrivateNetwork(WORKERS);
    cluster = await startCluster({ network });
    address = await cluster.database();
    journal = await openPostgresJournal({ address });
    small = smallDisk(cluster.port);
    await cluster.query(address, `create tablespace small_${cluster.port} location '${small}'`);
    await cluster.query(address, `alter table troupe.records set tablespace small_${cluster.port}`);
    const parsed = parseScenario(SCENARIO);
    if (parsed.kind !== 'parsed') throw new Error(JSON.stringify(parsed.problems));
    model = await startScriptedServer({
      scenario: parsed.scenario,
      log: ({ headers }) =>
        void asked.push({ key: decodeURIComponent(headers['idempotency-key'] ?? ''), at: Date.now() }),
    });
    forwarding = await forwardPort(network.here, model.port);
    project = createSandbox({}, { lasts: true });
    for (let index = 0; index < WORKERS; index += 1) workers.push(startOn(index));
    for (const { running } of workers) {
      const first = await running.lines.next();
      if (first.done === true) throw new Error((await running.ended).stderr);
    }
  }, 120_000);

  afterAll(async () => {
    for (const { running } of workers) running.child.kill('SIGCONT');
    for (const { running } of workers) running.child.kill('SIGKILL');
    for (const { running } of workers) await running.ended;
    project?.close();
    for (const sandbox of sandboxes) sandbox.close();
    await journal?.close();
    forwarding?.close();
    await model?.close();
    cluster?.dispose();
    if (small !== undefined) removeDisk(small);
    network?.dispose();
  });

  beforeEach(() => {
    asked.length = 0;
    for (const worker of workers) worker.said = '';
  });

  const sandboxes: Sandbox[] = [];

  function startOn(index: number): NetworkWorker {
    const sandbox = createSandbox({}, { lasts: true });
    sandboxes.push(sandbox);
    const config = join(sandbox.home, '.config', 'troupe');
    mkdirSync(config, { recursive: true });
    const url = `http://${network.here}:${model.port}/v1`;
    writeFileSync(
      join(config, 'config.yaml'),
      `models:\n  base: { provider: openai-compatible, base_url: "${url}", model: scripted }\n`,
    );
    const environment = { TROUPE_JOURNAL: address.replace('127.0.0.1', network.here) };
    const words = ['worker', '--slots', '4', '--json'];
    const running = sandbox.start(words, { environment, through: network.through(index) });
    const worker: NetworkWorker = { running, index, said: '' };
    running.child.stderr?.on('data', (chunk: Buffer) => (worker.said += chunk.toString()));
    return worker;
  }

  /** Begins as by somebody who has no means to drive it. Resolves when units of it are under way. */
  async function begin(): Promise<RunId> {
    const { home, project: root } = project;
    const workspaces = createWorkspaces({ home });
    const shared = await openSharedStore(address);
    const host = createEmbeddedHost(testWorld({ journal, answer: () => says(''), workspaces }));
    const run = await host.start({
      definition,
      input: {},
      project: root,
      sendAway: (sent, { tree }) => sendProject({ home, workspaces, shared }, { root: sent, project: root, tree }),
    });
    await host.shutdown();
    await shared.close();
    await workspaces.close();
    await vi.waitFor(() => expect(asked.length).toBeGreaterThanOrEqual(3), SOON);
    return run;
  }

  /** A live worker that drives something, as its process. */
  async function busyWorker(): Promise<NetworkWorker> {
    const held = await holders();
    const found = workers.find(({ running }) => held.some(({ pid }) => pid === running.child.pid));
    if (found === undefined) throw new Error('No worker drives anything.');
    return found;
  }

  const holders = async (): Promise<
    readonly { readonly pid: number; readonly run: string; readonly epoch: number }[]
  > =>
    (await cluster.query(
      address,
      "select w.pid, r.run, r.epoch from troupe.runs r join troupe.workers w on w.id = r.worker where r.status <> 'settled'",
    )) as readonly { pid: number; run: string; epoch: number }[];

  const untilAlive = ({ running }: NetworkWorker, isAlive: boolean): Promise<void> =>
    vi.waitFor(async () => {
      const found = (await journal.workers()).find(({ pid }) => pid === running.child.pid);
      expect(found?.isAlive ?? false).toBe(isAlive);
    }, SOON);

  /** Every unit came out once, no call was asked for again whose answer was recorded, and the run settled once. */
  async function expectDone(run: RunId): Promise<void> {
    await vi.waitFor(async () => expect(await journal.run(run)).toMatchObject({ status: 'settled' }), SOON);
    expect(await journal.run(run)).toMatchObject({ outcome: 'ok' });
    const units = await journal.runs({ parent: run });
    expect(units.map(({ outcome }) => outcome)).toEqual(Array<string>(UNITS).fill('ok'));
    const records = await journal.tree(run);
    const settled = records.flatMap((record) => (record.fact.kind === 'run.settled' ? [record.run] : []));
    expect(settled.toSorted()).toEqual([run, ...units.map((unit) => unit.run)].toSorted());
    const answered = new Map<string, number>(
      records.flatMap((record) =>
        record.fact.kind === 'call.answered'
          ? [[`${record.run}/${record.fact.task}/${record.fact.call}`, record.at]]
          : [],
      ),
    );
    expect(answered.size).toBe(2 * UNITS + 1);
    expect(asked.filter(({ key, at }) => at > (answered.get(key) ?? Infinity))).toEqual([]);
    const own = asked.filter(({ key }) => key.startsWith(`${run}/`));
    expect(new Set(own.map(({ key }) => key))).toEqual(new Set(answered.keys()));
  }

  test('[U8] one that is cut off loses its runs to the others, and takes part again when it is back', async () => {
    const run = await begin();
    const worker = await busyWorker();
    network.cut(worker.index);
    await untilAlive(worker, false);
    await expectDone(run);
    network.restore(worker.index);
    await untilAlive(worker, true);
    expect((await holders()).filter(({ pid }) => pid === worker.running.child.pid)).toEqual([]);
  });

  test('[U8] one that is stopped loses its runs to the others, and adds nothing to them when it goes on', async () => {
    const run = await begin();
    const worker = await busyWorker();
    worker.running.child.kill('SIGSTOP');
    await untilAlive(worker, false);
    await expectDone(run);
    const records = await journal.tree(run);
    worker.running.child.kill('SIGCONT');
    await untilAlive(worker, true);
    expect(await journal.tree(run)).toEqual(records);
  });

  test('[U8] a hard restart of PostgreSQL moves no run', async () => {
    const run = await begin();
    const before = await holders();
    expect(before.length).toBeGreaterThan(0);
    cluster.stopHard();
    cluster.start();
    await expectDone(run);
    const epochs = (await cluster.query(address, 'select run, epoch from troupe.runs')) as readonly {
      run: string;
      epoch: number;
    }[];
    for (const held of before) expect(epochs).toContainEqual({ run: held.run, epoch: held.epoch });
  });

  test('[U8] while the disk of PostgreSQL is full runs wait, and say why; they go on when there is space', async () => {
    const run = await begin();
    const free = fillDisk(small);
    await vi.waitFor(() => {
      expect(workers.map(({ said }) => said).join()).toMatch(/cannot be used now \(.*No space left on device/);
    }, SOON);
    expect(await journal.run(run)).not.toMatchObject({ status: 'settled' });
    free();
    await expectDone(run);
    expect(workers.map(({ said }) => said).join()).toContain('can be used again');
  });

  test('[U8] one that is killed loses its runs to the others', async () => {
    const run = await begin();
    const worker = await busyWorker();
    worker.running.child.kill('SIGKILL');
    await expectDone(run);
    await untilAlive(worker, false);
    await vi.waitFor(async () => {
      const alive = (await journal.workers()).filter((one) => one.isAlive && one.work !== null);
      expect(alive).toHaveLength(WORKERS - 1);
    }, SOON);
  });
});

test.skipIf(isPossible)('without PostgreSQL, root or network namespaces nothing of this can be tried', () => {
  expect(isPossible).toBe(false);
});

/** A separate file system for one table, which the server's user may write to. */
function smallDisk(port: number): string {
  const folder = mkdtempSync(join(tmpdir(), 'troupe-disk-'));
  run('mount', '-t', 'tmpfs', '-o', 'size=8m', `troupe-${port}`, folder);
  run('chown', 'postgres', folder);
  return folder;
}

/** Takes all the space that is left; what is returned gives it back. */
function fillDisk(folder: string): () => void {
  const file = join(folder, 'filling');
  spawnSync('dd', ['if=/dev/zero', `of=${file}`, 'bs=64k'], { stdio: 'ignore' });
  spawnSync('dd', ['if=/dev/zero', `of=${file}.rest`, 'bs=1k'], { stdio: 'ignore' });
  return () => {
    for (const one of [file, `${file}.rest`]) rmSync(one, { force: true });
  };
}

function removeDisk(folder: string): void {
  run('umount', folder);
  rmSync(folder, { recursive: true, force: true });
}

function run(program: string, ...words: readonly string[]): void {
  const { status, stderr } = spawnSync(program, words, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${words.join(' ')}: ${stderr}`);
}

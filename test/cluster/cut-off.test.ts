import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { foldRecords } from '../../src/core/fold/fold.ts';
import type { RunId } from '../../src/core/model/ids.ts';
import { createEmbeddedHost } from '../../src/host/embedded/embedded-host.ts';
import { testShell } from '../../src/host/perform/outputs/testing/test-shell.ts';
import type { World } from '../../src/host/world.ts';
import { build, end, expression, to, work } from '../../src/host/testing/build-definition.ts';
import { says, testWorld } from '../../src/host/testing/test-world.ts';
import { openPostgresJournal } from '../../src/journal/postgres/postgres-journal.ts';
import { startLossyProxy } from '../../src/journal/postgres/testing/lossy-proxy.ts';
import { hasServer, startCluster, type TestCluster } from '../../src/journal/postgres/testing/test-cluster.ts';
import { temporaryFolder, testProject } from '../../src/workspace/testing/test-project.ts';
import { openFolderStore } from '../../src/workspace/travel/folder-store.ts';
import { publishTree } from '../../src/workspace/travel/publish-tree.ts';
import type { SharedStore } from '../../src/workspace/travel/port.ts';
import { createWorkspaces } from '../../src/workspace/workspaces.ts';

const SOON = 60_000;

const command = (text: string) => ({ kind: 'command', command: expression(`'${text}'`), okExitCodes: [0] }) as const;

/** A program that writes all the time and never ends. */
const ENDLESS = 'while true; do echo tick >> ticks; sleep 0.1; done';

const definition = build({
  states: [
    work('long', command('long'), [to('ask')]),
    work('ask', { kind: 'ask', question: expression("'Go on?'"), choices: [] }, [to('list')]),
    work('list', command('ls > list'), [to('stop')]),
    end('stop'),
  ],
});

describe.skipIf(!hasServer())('a worker that is cut off', { timeout: 120_000 }, () => {
  let cluster: TestCluster;
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(() => cluster?.dispose());

  /** A host with real commands and its own folders; `long` is what its first command does. */
  async function worker(id: string, at: Place & { readonly address: string; readonly long: string }) {
    const journal = await openPostgresJournal({ address: at.address, worker: { id } });
    const home = temporaryFolder();
    const workspaces = createWorkspaces({ home, shared: at.shared });
    const real = testShell();
    const shell: World['shell'] = (text, options) => real.shell(text === 'long' ? at.long : text, options);
    const world = testWorld({ journal, owner: id, answer: () => says('done'), workspaces });
    const placement = { offer: () => Promise.resolve(false) };
    const host = createEmbeddedHost({ ...world, ...real, shell, worker: id, placement });
    const stop = async (): Promise<void> => {
      await host.shutdown();
      await journal.close();
      await workspaces.close();
    };
    return { journal, host, workspaces, stop, folder: (run: RunId) => workspaces.folderOf(run, 'main') };
  }

  interface Place {
    readonly shared: SharedStore;
  }

  test('[U8] it stops its commands, names no tree, and drops what its folders hold when it drives the run again', async () => {
    const { project } = testProject({ 'a.txt': 'a' });
    const direct = await cluster.database();
    const proxy = await startLossyProxy(direct);
    onTestFinished(() => proxy.close());
    const shared = await openFolderStore(temporaryFolder());
    const cut = await worker('cut', { address: proxy.address, shared, long: ENDLESS });
    onTestFinished(() => cut.stop());
    const other = await worker('other', { address: direct, shared, long: 'echo b > by-other' });
    await other.workspaces.begin(project);

    const run = await cut.host.start({ definition, input: {}, project });
    const ticks = (): string => join(cut.folder(run), 'ticks');
    const written = (): number => (existsSync(ticks()) ? readFileSync(ticks()).length : 0);
    await vi.waitFor(() => expect(written()).toBeGreaterThan(0), SOON);
    proxy.cut();
    const left = cut.host.rest(run).catch((error: unknown) => error);
    await vi.waitFor(() => other.host.resume(run), SOON);
    expect(await other.host.rest(run)).toMatchObject({ status: 'waiting' });

    expect(await left).toMatchObject({ code: 'LEASE_UNSURE', hint: expect.stringContaining(`troupe resume ${run}`) });
    await vi.waitFor(async () => {
      const before = written();
      await delay(500);
      expect(written()).toBe(before);
    }, SOON);

    const { tree } = foldRecords(await other.journal.read(run)).workspaces['main'] ?? {};
    if (tree !== undefined) await publishTree(await other.workspaces.store(project), shared, tree);
    await other.stop();
    const ticked = written();
    proxy.heal();
    await vi.waitFor(() => cut.host.resume(run), SOON);
    await cut.host.answer(run, { answer: 'yes', by: 'ada' });
    expect(await cut.host.rest(run)).toMatchObject({ status: 'settled', outcome: 'ok' });
    expect(ticked).toBeGreaterThan(0);
    expect(readFileSync(join(cut.folder(run), 'list'), 'utf8')).toBe('a.txt\nby-other\nlist\n');
    const facts = (await cut.journal.read(run)).map(({ fact }) => fact);
    expect(facts.filter(({ kind }) => kind === 'run.settled')).toHaveLength(1);
    expect(facts.flatMap((fact) => (fact.kind === 'task.ended' ? [fact.task] : []))).toEqual(['t1', 't2', 't3']);
    expect(JSON.stringify(facts)).not.toContain('ticks');
  });

  test('[U8] a process that wakes up after its run was taken over stops its commands at once', async () => {
    const { project } = testProject({ 'a.txt': 'a' });
    const address = await cluster.database();
    const shared = await openFolderStore(temporaryFolder());
    const frozen = await worker('frozen', { address, shared, long: ENDLESS });
    onTestFinished(() => frozen.stop());
    const run = await frozen.host.start({ definition, input: {}, project });
    const ticks = (): string => join(frozen.folder(run), 'ticks');
    await vi.waitFor(() => expect(existsSync(ticks())).toBe(true), SOON);
    // As another process does it that sees no heartbeat.
    const left = frozen.host.rest(run).catch((error: unknown) => error);
    await cluster.query(address, "update troupe.runs set epoch = epoch + 1, worker = 'other', owner = 'other'");
    await cluster.query(address, LONG_AGO);
    expect(await left).toMatchObject({ code: 'LEASE_LOST' });
    await vi.waitFor(async () => {
      const before = readFileSync(ticks()).length;
      await delay(500);
      expect(readFileSync(ticks()).length).toBe(before);
    }, SOON);
  });
});

/** Its heartbeats are refused for a while, so that it knows that others may have taken its runs. */
const LONG_AGO = `
  do $$ begin
    lock table troupe.workers in access exclusive mode;
    perform pg_sleep(2.5);
  end $$`;

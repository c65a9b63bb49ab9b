import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';

import { runId } from '../../core/model/ids.ts';
import { sampleBatch, sampleRecords, sampleRun } from '../sqlite/testing/sample.ts';
import { contents } from '../testing/under-test.ts';
import { openPostgresJournal } from './postgres-journal.ts';
import type { PostgresJournal } from './shared-journal.ts';
import { hasServer, startCluster, type TestCluster } from './testing/test-cluster.ts';

const A = runId('a');
const SOON = 30_000;

describe.skipIf(!hasServer())('a server that refuses for a while', { timeout: 60_000 }, () => {
  let cluster: TestCluster;
  let address: string;
  const said: string[] = [];
  beforeAll(async () => {
    cluster = await startCluster();
  });
  beforeEach(async () => {
    address = await cluster.database();
    said.length = 0;
  });
  afterAll(() => cluster?.dispose());

  async function open(id: string): Promise<PostgresJournal> {
    const journal = await openPostgresJournal({
      address,
      worker: { id },
      onAway: (_shown, reason) => said.push(reason),
      onBack: () => said.push('back'),
    });
    onTestFinished(() => journal.close());
    return journal;
  }

  /** From now on the table takes no rows, with this error. */
  const refuse = (table: string, state: string): Promise<unknown> =>
    cluster.query(
      address,
      `create function public.refuse() returns trigger language plpgsql as
         $$ begin raise exception 'not now' using errcode = '${state}'; end $$;
       create trigger refuse before insert or update on ${table} execute function public.refuse()`,
    );

  const accept = (): Promise<unknown> => cluster.query(address, 'drop function public.refuse cascade');

  test.each([['28P01'], ['53100'], ['42501']])('[U8] heartbeats go on after an error %s is over', async (state) => {
    const [one, two] = [await open('one'), await openPostgresJournal({ address, worker: { id: 'two' } })];
    onTestFinished(() => two.close());
    const lease = await one.create(sampleRun('a'), 'host');
    await refuse('troupe.workers', state);
    await vi.waitFor(async () => expect(await two.run(A)).toMatchObject({ driven: false }), SOON);
    expect(said).toEqual(['not now']);
    await accept();
    await vi.waitFor(async () => expect(await two.run(A)).toMatchObject({ driven: true }), SOON);
    await vi.waitFor(() => expect(said).toEqual(['not now', 'back']), SOON);
    await one.append(lease, sampleBatch('a', 1, 1));
  });

  test('[U8] a worker that could not register can do so later', async () => {
    const journal = await open('one');
    await refuse('troupe.workers', '28P01');
    await expect(journal.register()).rejects.toMatchObject({ code: 'JOURNAL_REFUSED' });
    await accept();
    expect(await journal.register()).toBe('one');
    await journal.create(sampleRun('a'), 'host');
  });

  test('[U8] a worker whose row was removed shows itself again', async () => {
    const journal = await open('one');
    await journal.register();
    await cluster.query(address, 'delete from troupe.workers');
    await vi.waitFor(async () => expect(await journal.workers()).toMatchObject([{ id: 'one', isAlive: true }]), SOON);
  });

  test('[J1] a full disk is waited for, and reported once whatever can still be read', async () => {
    const journal = await open('one');
    const lease = await journal.create(sampleRun('a'), 'host');
    await refuse('troupe.records', '53100');
    const appended = journal.append(lease, sampleBatch('a', 1, 2));
    await vi.waitFor(() => expect(said).toEqual(['not now']), SOON);
    expect(await journal.run(A)).toMatchObject({ seq: 0, driven: true });
    expect(said).toEqual(['not now']);
    await accept();
    await appended;
    expect(await contents(journal.read(A))).toEqual(sampleRecords('a', 1, 2));
    await vi.waitFor(() => expect(said).toEqual(['not now', 'back']), SOON);
  });

  test('[J1] a statement that takes too long is distinguished from a server that is away', async () => {
    const patient = address;
    address += '?statement_timeout=200';
    const journal = await open('one');
    const lease = await journal.create(sampleRun('a'), 'host', sampleBatch('a', 1, 1));
    const locked = cluster.query(
      patient,
      'begin; lock table troupe.records in access exclusive mode; select pg_sleep(600)',
    );
    const ended = locked.then(String, String);
    await vi.waitFor(async () => {
      const held = await cluster.query(
        address,
        "select from pg_locks where mode = 'AccessExclusiveLock' and granted and relation = 'troupe.records'::regclass",
      );
      expect(held).toHaveLength(1);
    }, SOON);
    await expect(journal.read(A)).rejects.toMatchObject({
      code: 'JOURNAL_SLOW',
      hint: expect.stringContaining('lock'),
    });
    await expect(journal.tree(A)).rejects.toMatchObject({ code: 'JOURNAL_SLOW' });
    expect(said).toEqual([]);
    const appended = journal.append(lease, sampleBatch('a', 2, 1));
    await vi.waitFor(() => expect(said).toEqual(['canceling statement due to statement timeout']), SOON);
    await cluster.query(
      address,
      "select pg_terminate_backend(pid) from pg_stat_activity where query like '%pg_sleep(600)' and pid <> pg_backend_pid()",
    );
    expect(await ended).toContain('terminating connection');
    await appended;
    expect(await contents(journal.read(A))).toEqual(sampleRecords('a', 1, 2));
  });

  test('[J8] a tree of 10,000 records is read in pages that split no commit', async () => {
    const journal = await open('one');
    const sizes = [1, 1500, 30, 1, 968, 2500, 5000];
    const names = ['a', 'a/1'];
    const leases = [];
    for (const name of names) leases.push(await journal.create(sampleRun(name), 'host'));
    const written: [string, number, number][] = [];
    const next = [1, 1];
    for (const [index, size] of sizes.entries()) {
      const side = index % 2;
      const [lease, name] = [leases[side], names[side] ?? ''];
      const first = next[side] ?? 1;
      if (lease !== undefined) await journal.append(lease, sampleBatch(name, first, size));
      for (let seq = first; seq < first + size; seq += 1) written.push([name, seq, index + 1]);
      next[side] = first + size;
    }
    const shown = (records: Awaited<ReturnType<typeof journal.tree>>): readonly unknown[] =>
      records.map(({ run, seq, commit }) => [run, seq, commit]);
    expect(shown(await journal.tree(A))).toEqual(written);
    expect(shown(await journal.tree(A, 1))).toEqual(written.slice(1));
    expect(shown(await journal.tree(A, 1, 1200))).toEqual(written.slice(1, 1501));
    expect(shown(await journal.tree(A, 1, 1531))).toEqual(written.slice(1, 1532));
    expect(shown(await journal.tree(A, 6, 10))).toEqual(written.slice(5000));
  });

  test('[U8] the driver is given one statement at a time', async () => {
    const warnings: string[] = [];
    const hear = ({ message }: Error): void => void warnings.push(message);
    process.on('warning', hear);
    onTestFinished(() => void process.off('warning', hear));
    const [one, two] = [await open('one'), await open('two')];
    for (const journal of [one, two]) {
      journal.onChange(() => undefined);
      journal.onChange(() => undefined)();
    }
    const leases = await Promise.all(['a', 'b', 'c'].map((name) => one.create(sampleRun(name), 'host')));
    for (let seq = 1; seq <= 200; seq += 1)
      await Promise.all(leases.map((lease) => one.append(lease, sampleBatch(lease.run, seq, 1))));
    await Promise.all([one.close(), two.close()]);
    expect(warnings).toEqual([]);
  });
});

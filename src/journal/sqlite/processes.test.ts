import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { runId } from '../../core/model/ids.ts';
import { ownIdentity, type ProcessIdentity } from '../../lib/process-identity.ts';
import { contents } from '../testing/under-test.ts';
import { openSqliteJournal } from './sqlite-journal.ts';
import { randomFrom } from './testing/random.ts';
import { sampleBatch, sampleRecords, sampleRun } from './testing/sample.ts';
import { startWriter } from './testing/start-writer.ts';
import { temporaryHome } from './testing/temporary-home.ts';

let home: string;
let dispose: () => void;

/** According to the database itself. */
const newestCommit = (): number => {
  const database = new DatabaseSync(join(home, 'journal.db'), { readOnly: true });
  try {
    return Number(database.prepare('SELECT number FROM head').get()?.['number']);
  } finally {
    database.close();
  }
};

beforeEach(() => {
  ({ home, dispose } = temporaryHome());
});
afterEach(() => dispose());

test('[J1] [L6] killing the writer again and again loses no accepted record', { timeout: 120_000 }, async () => {
  const random = randomFrom(7);
  const run = runId('a');
  let accepted = 0;
  for (let kill = 1; kill <= 12; kill += 1) {
    const writer = startWriter({ home, run: 'a', batches: Infinity, size: 1 + random(5) });
    await writer.said(2 + random(60));
    await writer.kill();
    accepted = Math.max(accepted, writer.accepted());
    const journal = await openSqliteJournal({ home });
    const records = await contents(journal.read(run));
    expect(records.length).toBeGreaterThanOrEqual(accepted);
    expect(records).toEqual(sampleRecords('a', 1, records.length));
    expect(await journal.run(run)).toMatchObject({ driven: false, seq: records.length });
    expect(await journal.verify()).toEqual([]);
    await journal.close();
  }
  expect(accepted).toBeGreaterThan(100);
});

test(
  '[J1] [J2] several processes make the journal and write their runs at the same time',
  { timeout: 120_000 },
  async () => {
    const names = ['a', 'b', 'c'];
    const writers = names.map((run) => startWriter({ home, run, batches: 60, size: 4 }));
    expect(await Promise.all(writers.map((writer) => writer.ended()))).toEqual([0, 0, 0]);
    // Whichever process closed last, the anchor names the newest commit.
    const newest = newestCommit();
    expect(newest).toBeGreaterThanOrEqual(180);
    expect(readFileSync(join(home, 'journal.head'), 'latin1')).toContain(` ${String(newest).padStart(16, '0')} `);
    const journal = await openSqliteJournal({ home });
    for (const name of names) expect(await contents(journal.read(runId(name)))).toEqual(sampleRecords(name, 1, 240));
    expect(await journal.verify()).toEqual([]);
    await journal.close();
  },
);

test('[J3] a run driven by another live process is busy and its pid is named; once that died it is free', async () => {
  const writer = startWriter({ home, run: 'a', batches: Infinity, size: 1 });
  await writer.said(3);
  const journal = await openSqliteJournal({ home });
  await expect(journal.lease(runId('a'), 'writer')).rejects.toMatchObject({
    code: 'RUN_BUSY',
    message: expect.stringContaining(`process ${writer.pid} `),
  });
  expect(await journal.run(runId('a'))).toMatchObject({ driven: true });
  await writer.kill();
  expect(await journal.run(runId('a'))).toMatchObject({ driven: false });
  expect(await journal.lease(runId('a'), 'host')).toMatchObject({ epoch: 2 });
  await journal.close();
});

test('[J3] a process that was thought dead cannot append after its run was taken over', async () => {
  const paused: ProcessIdentity = { ...ownIdentity(), pid: 1 };
  const old = await openSqliteJournal({ home, processes: { self: paused, isAlive: () => true } });
  const lease = await old.create(sampleRun('a'), 'host');
  await old.append(lease, sampleBatch('a', 1, 2));
  const fresh = await openSqliteJournal({ home, processes: { self: ownIdentity(), isAlive: () => false } });
  const taken = await fresh.lease(runId('a'), 'host');
  await expect(old.append(lease, sampleBatch('a', 3, 1))).rejects.toMatchObject({ code: 'LEASE_LOST' });
  await fresh.append(taken, sampleBatch('a', 3, 1));
  expect(await contents(old.read(runId('a')))).toEqual(sampleRecords('a', 1, 3));
  await Promise.all([old.close(), fresh.close()]);
});

test('[J6] a listener learns what another process wrote', async () => {
  const journal = await openSqliteJournal({ home });
  const heard = new AbortController();
  const ring = once(heard.signal, 'abort');
  journal.onChange(() => heard.abort());
  const writer = startWriter({ home, run: 'a', batches: 1, size: 1 });
  await ring;
  expect(await journal.run(runId('a'))).toBeDefined();
  expect(await writer.ended()).toBe(0);
  await journal.close();
});

test('[J1] a process that only listens may end', async () => {
  const journal = await openSqliteJournal({ home });
  const stop = journal.onChange(() => {});
  const timers = process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout');
  stop();
  // Timers that do not hold the process are not listed.
  expect(timers).toEqual(process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout'));
  await journal.close();
});

import { expect, test } from 'vitest';
import { runId } from '../../core/model/ids.ts';
import { ownIdentity } from '../../lib/process-identity.ts';
import { journalContract } from '../journal.contract.ts';
import type { Journal } from '../port.ts';
import { openDatabase } from './database-file.ts';
import { openSqliteJournal } from './sqlite-journal.ts';
import { sampleBatch, sampleRun } from './testing/sample.ts';
import { temporaryHome } from './testing/temporary-home.ts';

journalContract('on SQLite', async () => {
  const { home, dispose } = temporaryHome();
  const first = await openSqliteJournal({ home });
  let journal = first;
  const others: Journal[] = [];
  return {
    journal: first,
    reopen: async () => {
      await journal.close();
      journal = await openSqliteJournal({ home });
      return journal;
    },
    openOther: async () => {
      const self = { ...ownIdentity(), pid: 1 };
      const other = await openSqliteJournal({ home, processes: { self, isAlive: () => true } });
      others.push(other);
      return other;
    },
    dispose: async () => {
      for (const one of [...others, journal]) await one.close();
      dispose();
    },
  };
});

test('[L6] every connection writes ahead and waits for the disk at each commit', async () => {
  const { home, dispose } = temporaryHome();
  const database = openDatabase(home);
  expect(database.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' });
  expect(database.prepare('PRAGMA synchronous').get()).toEqual({ synchronous: 2 });
  database.close();
  dispose();
});

test('[J1] of writes in one turn only the one that fails is lost, whatever went wrong with it', async () => {
  const { home, dispose } = temporaryHome();
  const journal = await openSqliteJournal({ home });
  const [a, b] = await Promise.all(['a', 'b'].map((name) => journal.create(sampleRun(name), 'host')));
  if (a === undefined || b === undefined) throw new Error('two leases');
  const broken = sampleBatch('b', 1, 2);
  const settled = await Promise.allSettled([
    journal.append(a, sampleBatch('a', 1, 2)),
    // SQLite has no NaN: the second row of this batch breaks a constraint.
    journal.append(b, {
      ...broken,
      records: broken.records.map((one) => ({ ...one, at: one.seq === 2 ? NaN : one.at })),
    }),
    journal.append(a, sampleBatch('a', 3, 1)),
    journal.append(b, sampleBatch('b', 1, 1)),
  ]);
  expect(settled.map((one) => one.status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
  expect(settled[1]).toMatchObject({ reason: { code: 'INTERNAL' } });
  expect((await journal.tree(runId('a'))).map(({ seq }) => seq)).toEqual([1, 2, 3]);
  expect((await journal.read(runId('b'))).map(({ seq }) => seq)).toEqual([1]);
  expect(await journal.verify()).toEqual([]);
  await journal.close();
  dispose();
});

test('[J1] [J6] a write builds on what another connection has written since the last one of its own', async () => {
  const { home, dispose } = temporaryHome();
  const [one, other] = [await openSqliteJournal({ home }), await openSqliteJournal({ home })];
  const lease = await one.create(sampleRun('a'), 'host');
  await one.append(lease, sampleBatch('a', 1, 2));
  await other.send(runId('a'), { id: 'm1', at: 5, body: 'hello' });
  await one.append(lease, sampleBatch('a', 3, 1));
  expect((await one.inbox(runId('a'))).map(({ id }) => id)).toEqual(['m1']);
  // A write that is refused is not what the next one builds on.
  await expect(one.append(lease, sampleBatch('a', 9, 1))).rejects.toMatchObject({ code: 'JOURNAL_CONFLICT' });
  await one.append(lease, { ...sampleBatch('a', 4, 1), consumed: ['m1'] });
  expect(await one.addressed()).toEqual([]);
  expect(await other.verify()).toEqual([]);
  for (const journal of [one, other]) await journal.close();
  dispose();
});

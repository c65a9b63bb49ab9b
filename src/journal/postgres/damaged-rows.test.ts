import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { bodyHash, runId } from '../../core/model/ids.ts';
import { sampleBatch, sampleRun } from '../sqlite/testing/sample.ts';
import type { TreeRecord } from '../port.ts';
import { record, RUNNING } from '../testing/under-test.ts';
import { openPostgresJournal } from './postgres-journal.ts';
import { hasServer, startCluster, type TestCluster } from './testing/test-cluster.ts';
import type { PostgresJournal } from './shared-journal.ts';

const A = runId('a');
const DAMAGED = { code: 'JOURNAL_DAMAGED' };

describe.skipIf(!hasServer())('rows that somebody changed', () => {
  let cluster: TestCluster;
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(() => cluster?.dispose());

  let address = '';

  async function changed(statement: string): Promise<PostgresJournal> {
    address = await cluster.database();
    const journal = await openPostgresJournal({ address });
    const lease = await journal.create(sampleRun('a'), 'host', sampleBatch('a', 1, 1));
    for (const seq of [2, 3]) await journal.append(lease, sampleBatch('a', seq, 1));
    const [fourth] = sampleBatch('a', 4, 1).records;
    if (fourth === undefined) throw new Error('There is a fourth record.');
    await journal.append(lease, { records: [fourth, record(5, 'x'.repeat(100_000))], summary: RUNNING });
    await journal.send(A, { id: 'm', at: 1, body: 'words' });
    await cluster.query(address, statement);
    return journal;
  }

  test.each([
    ["update troupe.records set body = replace(body, 'person', 'machine') where seq = 2"],
    ["update troupe.records set body = '1' || body where seq = 3"],
    ["update troupe.records set body = split_part(body, E'\\n', 2) where seq = 5"],
    ["update troupe.records set hash = 'x' where seq = 3"],
    ['delete from troupe.records where seq = 1'],
    ['delete from troupe.records where seq = 3'],
    ['delete from troupe.records where seq = 5'],
    ['update troupe.records set seq = 6 where seq = 5'],
    ["update troupe.bodies set body = body || ' '"],
    ['delete from troupe.bodies'],
    ["update troupe.runs set run = 'b'"],
    ['update troupe.records set commit = commit + 5 where seq = 5'],
    ['update troupe.records set commit = 2 where seq = 3'],
  ])('[J4] %s', async (statement) => {
    const journal = await changed(statement);
    const run = statement.includes("run = 'b'") ? runId('b') : A;
    await expect(journal.read(run)).rejects.toMatchObject(DAMAGED);
    await expect(journal.tree(run)).rejects.toMatchObject(DAMAGED);
    expect((await journal.inspect()).problems).toMatchObject([{ code: 'JOURNAL_DAMAGED' }]);
    await journal.close();
  });

  test.each([
    ['too low', 0],
    ['too high', 1000],
  ])('[J4] the pages of a tree hide no record where a commit number is %s', async (_how, wrong) => {
    address = await cluster.database();
    const journal = await openPostgresJournal({ address });
    const lease = await journal.create(sampleRun('a'), 'host', sampleBatch('a', 1, 1));
    for (const seq of [2, 3, 4]) await journal.append(lease, sampleBatch('a', seq, 1));
    const below = { ...sampleRun('a/t1'), parent: A };
    const child = await journal.create(below, 'host', sampleBatch('a/t1', 1, 1));
    for (const seq of [2, 3]) await journal.append(child, sampleBatch('a/t1', seq, 1));
    await journal.append(lease, sampleBatch('a', 5, 1));
    await journal.append(child, sampleBatch('a/t1', 4, 1));
    const all = await journal.tree(A);
    const newest = all.at(-1)?.commit ?? 0;
    expect([all.length, newest]).toEqual([9, 9]);
    const hidden: string[] = [];
    for (let commit = 1; commit < newest; commit += 1) {
      await cluster.query(address, `update troupe.records set commit = ${wrong} where minus = -${commit}`);
      for (let after = 0; after < newest; after += 1) {
        for (const limit of [1, 3, undefined]) {
          const right = all.filter((one) => one.commit > after);
          const isHidden = await pagesAfter(journal, after, limit).then(
            (pages) => JSON.stringify(pages) !== JSON.stringify(right),
            (error: unknown) => (error as { code?: string }).code !== 'JOURNAL_DAMAGED',
          );
          if (isHidden) hidden.push(`commit ${commit}, after ${after}, limit ${limit}`);
        }
      }
      await cluster.query(address, 'update troupe.records set commit = -minus');
    }
    expect(hidden).toEqual([]);
    await journal.close();
  });

  async function pagesAfter(journal: PostgresJournal, after: number, limit: number | undefined) {
    const read: TreeRecord[] = [];
    for (;;) {
      const page = await journal.tree(A, read.at(-1)?.commit ?? after, limit);
      if (page.length === 0) return read;
      read.push(...page);
    }
  }

  test('[J4] a changed header, message or body is noticed', async () => {
    const header = await changed("update troupe.runs set header = replace(header, 'title', 'Title')");
    await expect(header.run(A)).rejects.toMatchObject(DAMAGED);
    const message = await changed("update troupe.inbox set message = replace(message, 'words', 'swords')");
    await expect(message.inbox(A)).rejects.toMatchObject(DAMAGED);
    const body = await changed('select 1');
    const hash = await body.putBody('a document');
    await cluster.query(address, 'update troupe.bodies set body = \'"another"\'');
    await expect(body.getBody(hash)).rejects.toMatchObject(DAMAGED);
    await expect(body.getBody(bodyHash('0'.repeat(64)))).rejects.toMatchObject({ code: 'BODY_MISSING' });
    await Promise.all([header, message, body].map((journal) => journal.close()));
  });
});

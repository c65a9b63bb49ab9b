import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { runId } from '../../core/model/ids.ts';
import { sampleBatch, sampleRun } from '../sqlite/testing/sample.ts';
import { openPostgresJournal } from './postgres-journal.ts';
import type { PostgresJournal } from './shared-journal.ts';
import { explained, fillJournal, readsTooMuch, startExplaining } from './testing/explained.ts';
import { hasServer, startCluster, type TestCluster } from './testing/test-cluster.ts';

/** Tables that grow with the runs. */
const GROWING = ['runs', 'records', 'inbox', 'bodies'];

describe.skipIf(!hasServer())('plans', { timeout: 60_000 }, () => {
  let cluster: TestCluster;
  let address: string;
  beforeAll(async () => {
    cluster = await startCluster();
    address = await cluster.database();
    await (await openPostgresJournal({ address })).close();
    await fillJournal(cluster, address);
    await startExplaining(cluster, address);
  });
  afterAll(() => cluster?.dispose());

  /** A tree of two runs, from its start to its end, and every look at it. */
  async function useTree(journal: PostgresJournal, name: string): Promise<void> {
    const [root, child] = [runId(name), runId(`${name}/1`)];
    const above = await journal.create(sampleRun(root), 'host', sampleBatch(root, 1, 2));
    const below = await journal.create({ ...sampleRun(child), parent: root }, 'host', sampleBatch(child, 1, 1));
    const fork = await journal.create({ ...sampleRun(`${name}-fork`), forkedFrom: root }, 'host');
    const message = { id: 'm', at: 1, body: { kind: 'note' } };
    await journal.send(child, message);
    await Promise.all([
      journal.append(above, { ...sampleBatch(root, 3, 1), sends: [{ run: child, message: { ...message, id: 'n' } }] }),
      journal.append(below, { ...sampleBatch(child, 2, 1), consumed: ['m'] }),
      journal.append(fork, sampleBatch(fork.run, 1, 1)),
    ]);
    const hash = await journal.putBody({ text: name });
    await journal.getBody(hash);
    const giveBack = await journal.reserve?.(root, 'name', new AbortController().signal);
    await giveBack?.();
    for (const filter of [{ root }, { parent: root }, { forkedFrom: root }, { parent: null, limit: 5 }])
      await journal.runs(filter);
    for (const run of [root, child]) await Promise.all([journal.run(run), journal.read(run), journal.inbox(run)]);
    await journal.read(child, 2, 1);
    await journal.tree(root);
    await journal.tree(root, 2, 1);
    await Promise.all([journal.addressed(), journal.undriven(), journal.workers()]);
    const summary = { status: 'settled', outcome: 'ok' } as const;
    for (const [lease, seq] of [
      [above, 4],
      [below, 3],
      [fork, 2],
    ] as const) {
      await journal.append(lease, { ...sampleBatch(lease.run, seq, 1), summary, consumed: ['n'] });
      await journal.release(lease);
    }
    await journal.release(await journal.lease(child, 'host'));
  }

  test('[L2] no statement of the journal reads more than it needs, however many runs there are', async () => {
    const journal = await openPostgresJournal({ address });
    // Plans are kept after the fifth time.
    for (let count = 0; count < 8; count += 1) await useTree(journal, `tree${count}`);
    await journal.close();
    const all = await explained(cluster, address);
    expect(new Set(all.map(({ statement }) => statement)).size).toBeGreaterThan(30);
    expect(all.filter((one) => readsTooMuch(one, GROWING))).toEqual([]);
  });

  test('a statement that reads a whole table is noticed', async () => {
    const planted = ["header like 'x%'", 'number > 0'];
    for (const where of planted) await cluster.query(address, `select count(header) from troupe.runs where ${where}`);
    const seen = (await explained(cluster, address)).filter(({ statement }) => statement.includes('count(header)'));
    expect(seen.map((one) => readsTooMuch(one, GROWING))).toEqual(planted.map(() => true));
  });
});

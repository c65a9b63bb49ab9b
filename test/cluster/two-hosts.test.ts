import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { foldRecords } from '../../src/core/fold/fold.ts';
import { createEmbeddedHost } from '../../src/host/embedded/embedded-host.ts';
import type { Host } from '../../src/host/port.ts';
import type { Placement } from '../../src/host/world.ts';
import { says, testWorld } from '../../src/host/testing/test-world.ts';
import { openPostgresJournal } from '../../src/journal/postgres/postgres-journal.ts';
import { hasServer, startCluster, type TestCluster } from '../../src/journal/postgres/testing/test-cluster.ts';
import { nested, spread } from '../simulation/cluster/definitions.ts';

describe.skipIf(!hasServer())('two processes on one PostgreSQL', { timeout: 60_000 }, () => {
  let cluster: TestCluster;
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(() => cluster?.dispose());

  /** Hosts that know each other only through the database. */
  async function twoHosts(placementOf: (other: () => Host) => Placement) {
    const address = await cluster.database();
    const calls: string[] = [];
    const open = async (id: string, other: () => Host) => {
      const journal = await openPostgresJournal({ address, worker: { id } });
      const answer = ({ run }: { readonly run: string }) => {
        calls.push(`${id} ${run}`);
        return says('done');
      };
      const world = testWorld({ journal, owner: id, answer });
      const host = createEmbeddedHost({ ...world, placement: placementOf(other) });
      return { journal, host, close: async () => await host.shutdown().then(() => journal.close()) };
    };
    const first = await open('first', () => second.host);
    const second: Awaited<ReturnType<typeof open>> = await open('second', () => first.host);
    return { first, second, calls, close: () => Promise.all([first.close(), second.close()]) };
  }

  test('[U8] units run in another process, which tells the parent what they came to and cost', async () => {
    const offered: Promise<void>[] = [];
    const { first, second, calls, close } = await twoHosts((other) => ({
      offer: (run) => {
        offered.push(other().resume(run));
        return Promise.resolve(true);
      },
    }));
    const run = await first.host.start({ definition: spread(), input: {}, project: '.' });
    const rest = await first.host.rest(run);
    expect(rest).toMatchObject({ outcome: 'ok' });
    await Promise.all(offered);
    expect(rest.usage.calls).toBe(9);
    expect(calls.filter((call) => call.startsWith('second '))).toHaveLength(8);
    expect(calls.filter((call) => call.startsWith('first '))).toEqual([`first ${run}`]);
    const units = await second.journal.runs({ parent: run });
    expect(units.map(({ status, outcome }) => `${status} ${outcome}`)).toEqual(Array(4).fill('settled ok'));
    await close();
  });

  test('[U8] cancelling the root ends its units in the other process, before anything of it settles', async () => {
    const taken = Promise.withResolvers<void>();
    const { first, second, close } = await twoHosts((other) => ({
      offer: (run) => {
        void other()
          .resume(run)
          .then(() => taken.resolve());
        return Promise.resolve(true);
      },
    }));
    const run = await first.host.start({ definition: nested(), input: {}, project: '.' });
    await taken.promise;
    await first.host.cancel(run, 'ann', 'enough');
    expect(await first.host.rest(run)).toMatchObject({ outcome: 'cancelled' });
    const below = (await second.journal.runs({ root: run })).filter((info) => info.run !== run);
    expect(below.length).toBeGreaterThan(0);
    for (const info of below) {
      expect(info).toMatchObject({ status: 'settled', outcome: 'cancelled' });
      const records = await first.journal.read(info.run);
      expect(foldRecords(records).result?.failure).toMatchObject({ code: 'CANCELLED' });
    }
    await close();
  });
});

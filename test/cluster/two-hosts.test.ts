import type { CallReply, CallRequest } from '../../src/actors/port.ts';
import { totalTokens } from '../../src/core/model/usage.ts';
import { answeredCalls, CALL_TOKENS, sharingLimit, slowModel } from '../../src/host/testing/sharing-limit.ts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { foldRecords } from '../../src/core/fold/fold.ts';
import { createEmbeddedHost } from '../../src/host/embedded/embedded-host.ts';
import type { Host } from '../../src/host/port.ts';
import type { Placement } from '../../src/host/world.ts';
import { keep, keeping, type TestDisk } from '../../src/host/testing/full-disk.ts';
import { says, testWorld, type TestWorldOptions } from '../../src/host/testing/test-world.ts';
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
  async function twoHosts(placementOf: (other: () => Host) => Placement, ofWorker: OfWorker = () => ({})) {
    const address = await cluster.database();
    const calls: string[] = [];
    const open = async (id: string, other: () => Host) => {
      const journal = await openPostgresJournal({ address, worker: { id } });
      const answer = ({ run }: { readonly run: string }) => {
        calls.push(`${id} ${run}`);
        return says('done');
      };
      const world = testWorld({ journal, owner: id, answer, ...ofWorker(id) });
      const host = createEmbeddedHost({ ...world, worker: id, placement: placementOf(other) });
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

  test('[U5] [U8] units of one tree in two processes stop at its limit together, and continue when it is raised', async () => {
    const models: ((request: CallRequest) => Promise<CallReply>)[] = [];
    const ofWorker: OfWorker = () => ({ answer: async (request) => (await models[0]?.(request)) ?? says('ok') });
    const { first, close } = await twoHosts(everySecond, ofWorker);
    models.push(slowModel(first.journal));
    const run = await first.host.start({ definition: sharingLimit({ tokens: 150 }), input: {}, project: '.' });
    const rest = await first.host.rest(run);
    const paused = { status: 'paused', failure: { code: 'MAX_TOKENS' }, questions: [{ run, kind: 'limit' }] };
    expect(rest).toMatchObject(paused);
    expect(totalTokens(rest.usage)).toBeGreaterThanOrEqual(150);
    expect((await answeredCalls(first.journal, run)) * CALL_TOKENS).toBeLessThanOrEqual(150 + 4 * CALL_TOKENS);
    await first.host.raise(run, 'tokens', 1000, 'ann');
    expect(await first.host.rest(run)).toMatchObject({ outcome: 'ok', usage: { calls: 24 } });
    expect(await answeredCalls(first.journal, run)).toBe(24);
    await close();
  });

  test('[PA5] [U8] a full disk of one process pauses the tree in both, and everything is done once when there is space', async () => {
    const disk: TestDisk = { isFull: true, kept: [] };
    const mayAnswer = Promise.withResolvers<void>();
    const asked: string[] = [];
    const ofWorker: OfWorker = (id) => ({
      tools: [keeping(id === 'second' ? disk : { isFull: false, kept: disk.kept })],
      answer: async ({ run, call }) => {
        asked.push(run);
        if (id === 'first') await mayAnswer.promise;
        return call === 1 && run.includes('/') ? keep(run) : says('done');
      },
    });
    const { first, second, close } = await twoHosts(everySecond, ofWorker);
    const run = await first.host.start({ definition: spread(4), input: {}, project: '.' });
    const status = async () => (await first.journal.run(run))?.status;
    await vi.waitFor(async () => expect(await status()).toBe('paused'), { timeout: 20_000 });
    mayAnswer.resolve();
    const rest = await first.host.rest(run);
    expect(rest).toMatchObject({ status: 'paused', failure: { code: 'DISK_FULL' }, questions: [] });
    expect(rest.failure?.message).toMatch(/^On worker second: /);
    const units = await second.journal.runs({ parent: run });
    expect(units).toHaveLength(4);
    for (const unit of units) {
      const { held } = foldRecords(await second.journal.read(unit.run));
      expect(held?.failure).toMatchObject({ code: 'DISK_FULL', hint: expect.stringContaining(`troupe resume ${run}`) });
    }
    // The tools of the calls in flight ran to their end; no unit began another call.
    expect(asked).toHaveLength(4);
    disk.isFull = false;
    await first.host.resume(run);
    expect(await first.host.rest(run)).toMatchObject({ outcome: 'ok' });
    const kept = (await second.journal.runs({ root: run })).map((info) => info.run).filter((one) => one !== run);
    expect(disk.kept.toSorted()).toEqual(kept.toSorted());
    await close();
  });
});

type OfWorker = (id: string) => Partial<TestWorldOptions>;

/** The second process drives every second unit. */
function everySecond(other: () => Host): Placement {
  let count = 0;
  return {
    offer: async (run) => {
      count += 1;
      if (count % 2 === 0) return false;
      await other().resume(run);
      return true;
    },
  };
}

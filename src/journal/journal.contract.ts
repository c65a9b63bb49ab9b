import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { bodyHash, runId, type RunId } from '../core/model/ids.ts';
import { journalTreeContract } from './journal-tree.contract.ts';
import type { Batch, Journal, Lease, RunFilter } from './port.ts';
import {
  A,
  at,
  B,
  batch,
  contents,
  eventually,
  message,
  newRun,
  record,
  records,
  RUNNING,
  type JournalUnderTest,
} from './testing/under-test.ts';

/** What every journal must do. `make` gives an empty one. */
export function journalContract(name: string, make: () => Promise<JournalUnderTest>): void {
  journalTreeContract(name, make);
  describe(`the journal contract, ${name}`, () => {
    let subject: JournalUnderTest;
    let journal: Journal;

    beforeEach(async () => {
      subject = await make();
      journal = subject.journal;
    });

    afterEach(() => subject.dispose());

    /** Continues with what is on the disk, if there is one: the rules must hold after a restart as well. */
    const restart = async (): Promise<void> => {
      if (subject.reopen !== undefined) journal = await subject.reopen();
    };

    test('[L2] a new run is listed with its header, and nothing else', async () => {
      const lease = await journal.create(newRun('a', { title: 'Fix the tests', at: 5 }), 'host');
      await restart();
      expect(lease).toEqual({ run: 'a', epoch: 1, owner: 'host' });
      expect(await journal.run(A)).toEqual({
        ...newRun('a', { title: 'Fix the tests', at: 5 }),
        status: 'running',
        outcome: null,
        seq: 0,
        tip: expect.any(String),
        updatedAt: 5,
        driven: true,
      });
      expect(await contents(journal.read(A))).toEqual([]);
    });

    test('[L2] an id is taken once', async () => {
      await journal.create(newRun('a'), 'host');
      await expect(journal.create(newRun('a', { title: 'other' }), 'host')).rejects.toMatchObject({
        code: 'RUN_EXISTS',
      });
      expect((await journal.run(A))?.title).toBe('');
    });

    test('[J1] a run and its first records are created together, or not at all', async () => {
      await journal.create(newRun('a'), 'host', batch(1, 2));
      expect((await journal.run(A))?.seq).toBe(2);
      await expect(journal.create(newRun('b'), 'host', batch(2, 1))).rejects.toMatchObject({
        code: 'JOURNAL_CONFLICT',
      });
      expect(await journal.run(runId('b'))).toBeUndefined();
    });

    test('[L2] two creations of the same id in one turn: the first wins', async () => {
      const settled = await Promise.allSettled([
        journal.create(newRun('a', { title: 'first' }), 'host'),
        journal.create(newRun('a', { title: 'second' }), 'host'),
      ]);
      expect(settled.map((one) => one.status)).toEqual(['fulfilled', 'rejected']);
      expect((await journal.run(A))?.title).toBe('first');
      expect(await journal.runs()).toHaveLength(1);
    });

    test('[L2] a question about an unknown run is a fault, and never creates it', async () => {
      const lost: Lease = { run: A, epoch: 1, owner: 'host' };
      for (const ask of [
        () => journal.read(A),
        () => journal.inbox(A),
        () => journal.lease(A, 'host'),
        () => journal.release(lost),
        () => journal.append(lost, batch(1, 1)),
        () => journal.send(A, message('m')),
      ]) {
        await expect(ask()).rejects.toMatchObject({ code: 'RUN_UNKNOWN' });
      }
      expect(await journal.run(A)).toBeUndefined();
      expect(await journal.runs()).toEqual([]);
    });

    test('[J1] [L6] records and summary are there once append resolved', async () => {
      const lease = await journal.create(newRun('a'), 'host');
      await journal.append(lease, batch(1, 3));
      const result = { state: 'waiting', kind: 'branch', where: 'troupe/a' } as const;
      await journal.append(lease, batch(4, 2, { status: 'settled', outcome: 'ok', result, isArchived: true }));
      await restart();
      expect(await contents(journal.read(A))).toEqual(records(1, 5));
      expect(await journal.run(A)).toMatchObject({
        seq: 5,
        status: 'settled',
        outcome: 'ok',
        result,
        updatedAt: at(5),
      });
    });

    test('[J1] a batch that is refused leaves neither records nor summary nor consumed messages', async () => {
      const lease = await journal.create(newRun('a'), 'host');
      await journal.send(A, message('m'));
      const refused = { ...batch(2, 2, { status: 'settled', outcome: 'failed' }), consumed: ['m'] };
      await expect(journal.append(lease, refused)).rejects.toMatchObject({ code: 'JOURNAL_CONFLICT' });
      await restart();
      expect(await contents(journal.read(A))).toEqual([]);
      expect(await journal.run(A)).toMatchObject({ seq: 0, status: 'running', outcome: null });
      expect(await journal.inbox(A)).toEqual([message('m')]);
    });

    test('[J1] a batch without records still moves the summary', async () => {
      const lease = await journal.create(newRun('a', { at: 1 }), 'host');
      await journal.append(lease, { records: [], summary: { status: 'paused', outcome: null } });
      expect(await journal.run(A)).toMatchObject({ seq: 0, status: 'paused', updatedAt: 1 });
    });

    test('[J2] a batch must continue the numbers without a gap', async () => {
      const lease = await journal.create(newRun('a'), 'host');
      await journal.append(lease, batch(1, 2));
      for (const seq of [1, 2, 4]) {
        const other = { records: [record(seq, 'another')], summary: RUNNING };
        await expect(journal.append(lease, other)).rejects.toMatchObject({ code: 'JOURNAL_CONFLICT' });
      }
      const broken: Batch = { ...batch(3, 1), records: [...records(3, 1), ...records(5, 1)] };
      await expect(journal.append(lease, broken)).rejects.toMatchObject({ code: 'JOURNAL_CONFLICT' });
      expect(await contents(journal.read(A))).toEqual(records(1, 2));
    });

    test('[J2] appends sent without waiting keep their order', async () => {
      const lease = await journal.create(newRun('a'), 'host');
      await Promise.all([1, 3, 5, 7].map((first) => journal.append(lease, batch(first, 2))));
      await restart();
      expect(await contents(journal.read(A))).toEqual(records(1, 8));
    });

    test('[J2] of appends in one turn only the refused one is refused', async () => {
      const [a, b] = await Promise.all([journal.create(newRun('a'), 'host'), journal.create(newRun('b'), 'host')]);
      const settled = await Promise.allSettled([
        journal.append(a, batch(1, 1)),
        journal.append(b, batch(7, 1)),
        journal.append({ ...b, epoch: 9 }, batch(1, 1)),
        journal.append(b, batch(1, 2)),
      ]);
      expect(settled.map((one) => one.status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
      await restart();
      expect(await contents(journal.read(A))).toEqual(records(1, 1));
      expect(await contents(journal.read(B))).toEqual(records(1, 2));
    });

    test('[J2] reading continues after a number', async () => {
      const lease = await journal.create(newRun('a'), 'host');
      await journal.append(lease, batch(1, 5));
      expect(await contents(journal.read(A, 3))).toEqual(records(4, 2));
      expect(await contents(journal.read(A, 0))).toEqual(records(1, 5));
      expect(await contents(journal.read(A, 5))).toEqual([]);
      expect(await contents(journal.read(A, 99))).toEqual([]);
    });

    test('[J4] a read with a limit is a page: as many records as the limit, and the next page continues there', async () => {
      const lease = await journal.create(newRun('a'), 'host');
      await journal.append(lease, batch(1, 5));
      await restart();
      expect(await contents(journal.read(A, 0, 2))).toEqual(records(1, 2));
      expect(await contents(journal.read(A, 2, 2))).toEqual(records(3, 2));
      expect(await contents(journal.read(A, 4, 2))).toEqual(records(5, 1));
      expect(await contents(journal.read(A, 5, 2))).toEqual([]);
      expect(await contents(journal.read(A, 0, 99))).toEqual(records(1, 5));
      expect(await contents(journal.read(A, -3, 1))).toEqual(records(1, 1));
      for (const none of [0, -1]) expect(await contents(journal.read(A, 1, none))).toEqual([]);
    });

    test('[J4] a run that is read while it grows is a prefix of the whole', async () => {
      const lease = await journal.create(newRun('a'), 'host');
      const written = new AbortController();
      const write = async (): Promise<void> => {
        for (let first = 1; first < 300; first += 3) await journal.append(lease, batch(first, 3));
      };
      const read = async (after: number): Promise<void> => {
        while (!written.signal.aborted) {
          const found = await contents(journal.read(A, after));
          expect(found).toEqual(records(after + 1, found.length));
          await nextTurn();
        }
      };
      await Promise.all([write().finally(() => written.abort()), read(0), read(2)]);
      expect(await journal.read(A)).toHaveLength(300);
    });

    test('[J4] the tip of a run changes with each record, and with nothing else', async () => {
      const tipOf = async (run: RunId): Promise<string | undefined> => (await journal.run(run))?.tip;
      const lease = await journal.create(newRun('a'), 'host');
      await journal.create(newRun('b'), 'host');
      const tips = new Set([await tipOf(A), await tipOf(runId('b'))]);
      for (const seq of [1, 2]) {
        await journal.append(lease, batch(seq, 1));
        tips.add(await tipOf(A));
      }
      expect(tips.size).toBe(4);
      const last = await tipOf(A);
      await journal.send(A, message('m'));
      await journal.release(lease);
      expect((await journal.runs()).find(({ run }) => run === A)?.tip).toBe(last);
    });

    test('[J3] a lease that was taken over can no longer append', async () => {
      const old = await journal.create(newRun('a'), 'host');
      await journal.append(old, batch(1, 1));
      const fresh = await journal.lease(A, 'host');
      expect(fresh.epoch).toBe(old.epoch + 1);
      await expect(journal.append(old, batch(2, 1))).rejects.toMatchObject({ code: 'LEASE_LOST' });
      await journal.append(fresh, batch(2, 1));
      expect(await contents(journal.read(A))).toEqual(records(1, 2));
    });

    test('[J3] a takeover fences an append that was sent before it', async () => {
      const old = await journal.create(newRun('a'), 'host');
      const [fresh, late] = await Promise.allSettled([journal.lease(A, 'host'), journal.append(old, batch(1, 1))]);
      expect(fresh.status).toBe('fulfilled');
      expect(late).toMatchObject({ status: 'rejected', reason: { code: 'LEASE_LOST' } });
    });

    test('[J3] a live holder keeps its run', async () => {
      await journal.create(newRun('a'), 'first host');
      await expect(journal.lease(A, 'second host')).rejects.toMatchObject({ code: 'RUN_BUSY' });
      expect(await journal.run(A)).toMatchObject({ driven: true });
    });

    test('[J3] a live holder hands its run over once, to the process that has its lease', async () => {
      const held = await journal.create(newRun('a'), 'first host');
      for (const from of [
        { ...held, epoch: 2 },
        { ...held, owner: 'other' },
      ])
        await expect(journal.lease(A, 'second host', from)).rejects.toMatchObject({ code: 'RUN_BUSY' });
      const taken = await journal.lease(A, 'second host', held);
      await journal.release(held);
      await expect(journal.append(held, batch(1, 1))).rejects.toMatchObject({ code: 'LEASE_LOST' });
      await expect(journal.lease(A, 'third host', held)).rejects.toMatchObject({ code: 'RUN_BUSY' });
      await journal.append(taken, batch(1, 1));
      expect(await journal.run(A)).toMatchObject({ driven: true, seq: 1 });
    });

    test('[J3] a released run is free, and its former holder can no longer append', async () => {
      const old = await journal.create(newRun('a'), 'first host');
      await journal.release(old);
      expect(await journal.run(A)).toMatchObject({ driven: false });
      await expect(journal.append(old, batch(1, 1))).rejects.toMatchObject({ code: 'LEASE_LOST' });
      await restart();
      const fresh = await journal.lease(A, 'second host');
      expect(fresh).toEqual({ run: 'a', epoch: 2, owner: 'second host' });
      expect(await journal.run(A)).toMatchObject({ driven: true });
    });

    test('[J3] releasing an old lease does not free the new one', async () => {
      const old = await journal.create(newRun('a'), 'host');
      const fresh = await journal.lease(A, 'host');
      await journal.release(old);
      await journal.append(fresh, batch(1, 1));
      expect(await journal.run(A)).toMatchObject({ driven: true, seq: 1 });
    });

    test('[J4] any text comes back as it was', async () => {
      const texts = ['', '\0', '\ud83d', 'é\u2028\n"\\', '👩‍🚀', '{"kind":"x"}', 'sha256:00', 'x'.repeat(200_000)];
      const title = texts.slice(0, -1).join('|');
      const lease = await journal.create(newRun('a', { title }), 'ho\ud800st');
      await journal.append(lease, {
        records: texts.map((text, index) => record(index + 1, text)),
        summary: RUNNING,
      });
      await journal.send(A, { id: title, at: 1.5, body: texts });
      await restart();
      const read = await contents(journal.read(A));
      expect(read).toEqual(texts.map((text, index) => record(index + 1, text)));
      expect((await journal.run(A))?.title).toBe(title);
      expect(await journal.inbox(A)).toEqual([{ id: title, at: 1.5, body: texts }]);
    });

    test('[J4] a run whose name is the beginning of another is not mixed up with it', async () => {
      const parent = await journal.create(newRun('a'), 'host');
      const child = await journal.create(newRun('a/b', { parent: A }), 'host');
      await journal.append(child, batch(1, 2));
      await journal.append(parent, batch(1, 1));
      expect(await journal.read(A)).toHaveLength(1);
      expect(await journal.read(runId('a/b'))).toHaveLength(2);
    });

    test('[J5] a body is stored once under the hash of its content', async () => {
      const body = { text: 'a long document', list: [1, null, true] };
      const first = await journal.putBody(body);
      const [second, other] = await Promise.all([journal.putBody({ ...body }), journal.putBody('another')]);
      await restart();
      expect(second).toBe(first);
      expect(other).not.toBe(first);
      expect(await journal.getBody(first)).toEqual(body);
      expect(await journal.getBody(other)).toBe('another');
      expect(first).toMatch(/^[0-9a-f]{64}$/);
    });

    test('[J5] null is a body too, and an unknown body is a fault', async () => {
      expect(await journal.getBody(await journal.putBody(null))).toBeNull();
      await expect(journal.getBody(bodyHash('0'.repeat(64)))).rejects.toMatchObject({ code: 'BODY_MISSING' });
    });

    test('[J6] messages wait in order until a batch consumed them', async () => {
      const lease = await journal.create(newRun('a'), 'host');
      for (const id of ['one', 'two', 'three']) await journal.send(A, message(id));
      await restart();
      expect(await journal.inbox(A)).toEqual(['one', 'two', 'three'].map(message));
      await journal.append(lease, { ...batch(1, 1), consumed: ['one', 'three', 'never sent'] });
      await restart();
      expect(await journal.inbox(A)).toEqual([message('two')]);
    });

    test('[J6] the same id is taken once, also after it was consumed', async () => {
      const lease = await journal.create(newRun('a'), 'host');
      await Promise.all([journal.send(A, message('m')), journal.send(A, { ...message('m'), body: 'again' })]);
      expect(await journal.inbox(A)).toEqual([message('m')]);
      await journal.append(lease, { ...batch(1, 1), consumed: ['m'] });
      await journal.send(A, message('m'));
      await restart();
      expect(await journal.inbox(A)).toEqual([]);
    });

    test('[J6] the runs that have messages waiting are known', async () => {
      const [a, b] = [await journal.create(newRun('a'), 'host'), await journal.create(newRun('b'), 'host')];
      await journal.create(newRun('c'), 'host');
      expect(await journal.addressed()).toEqual([]);
      await journal.send(A, message('m'));
      await journal.send(A, message('n'));
      await journal.send(B, message('m'));
      await restart();
      expect(new Set(await journal.addressed())).toEqual(new Set(['a', 'b']));
      await journal.append(a, { ...batch(1, 1), consumed: ['m'] });
      await journal.append(b, { ...batch(1, 1), consumed: ['m', 'm'] });
      expect(await journal.addressed()).toEqual(['a']);
      await journal.append(a, { ...batch(2, 1), consumed: ['n', 'm'] });
      expect(await journal.addressed()).toEqual([]);
    });

    test('[J6] a message needs no lease and does not touch the records', async () => {
      const lease = await journal.create(newRun('a'), 'host');
      await journal.release(lease);
      await journal.send(A, message('m'));
      expect(await journal.run(A)).toMatchObject({ seq: 0, driven: false });
      expect(await journal.inbox(A)).toHaveLength(1);
    });

    test('[L2] runs are listed newest first, by parent, by status and up to a limit', async () => {
      const a = await journal.create(newRun('a'), 'host');
      await journal.create(newRun('b', { parent: A }), 'host');
      await journal.create(newRun('c', { parent: A, at: -1 }), 'host');
      await journal.append(a, batch(1, 1, { status: 'settled', outcome: 'partial' }));
      const names = async (...filter: Parameters<Journal['runs']>): Promise<readonly RunId[]> =>
        (await journal.runs(...filter)).map((run) => run.run);
      expect(await names()).toEqual(['c', 'b', 'a']);
      expect(await names({ parent: null })).toEqual(['a']);
      expect(await names({ parent: A })).toEqual(['c', 'b']);
      expect(await names({ status: 'running' })).toEqual(['c', 'b']);
      expect(await names({ status: 'settled', parent: A })).toEqual([]);
      expect(await names({ limit: 2 })).toEqual(['c', 'b']);
      expect(await names({ limit: 1, status: 'settled' })).toEqual(['a']);
      expect(await names({ limit: 0 })).toEqual([]);
    });

    test('[L2] children and forks of a run are listed alone, newest first, also if they were created before it', async () => {
      const names = async (filter: RunFilter): Promise<readonly RunId[]> =>
        (await journal.runs(filter)).map((run) => run.run);
      await journal.create(newRun('a/1', { parent: A }), 'host');
      await journal.create(newRun('a'), 'host');
      await journal.create(newRun('b', { forkedFrom: A }), 'host');
      await journal.create(newRun('b/1', { parent: B }), 'host');
      await journal.create(newRun('a/2', { parent: A }), 'host');
      await journal.create(newRun('c', { forkedFrom: A }), 'host');
      await restart();
      expect(await names({ parent: A })).toEqual(['a/2', 'a/1']);
      expect(await names({ parent: A, limit: 1 })).toEqual(['a/2']);
      expect(await names({ parent: B })).toEqual(['b/1']);
      expect(await names({ parent: runId('c') })).toEqual([]);
      expect(await names({ forkedFrom: A })).toEqual(['c', 'b']);
      expect(await names({ forkedFrom: A, parent: B })).toEqual([]);
      expect(await names({ forkedFrom: B })).toEqual([]);
      expect((await journal.run(B))?.forkedFrom).toBe('a');
    });

    test('[L2] a listener is notified of records and messages, until it unsubscribes', async () => {
      const lease = await journal.create(newRun('a'), 'host');
      const heard = eventually();
      const stop = journal.onChange(heard.ring);
      await journal.append(lease, batch(1, 1));
      await heard.next();
      await journal.send(A, message('m'));
      await heard.next();
      stop();
      const before = heard.count();
      const other = eventually();
      const stopOther = journal.onChange(other.ring);
      await journal.append(lease, batch(2, 1));
      await other.next();
      stopOther();
      expect(heard.count()).toBe(before);
    });
  });
}

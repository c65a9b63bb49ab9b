import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { rootRunId, runId, type RunId } from '../core/model/ids.ts';
import type { Batch, Journal, Lease, NewRun, TreeRecord } from './port.ts';
import {
  A,
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

/** The part of the contract about trees of runs, repeated calls and messages between runs. Called by `journalContract`. */
export function journalTreeContract(name: string, make: () => Promise<JournalUnderTest>): void {
  describe(`the journal contract for trees, ${name}`, () => {
    let subject: JournalUnderTest;
    let journal: Journal;

    beforeEach(async () => {
      subject = await make();
      journal = subject.journal;
    });

    afterEach(() => subject.dispose());

    const restart = async (): Promise<void> => {
      if (subject.reopen !== undefined) journal = await subject.reopen();
    };

    const commitsOf = async (run: RunId): Promise<readonly number[]> =>
      (await journal.read(run)).map(({ commit }) => commit);

    const names = async (root: RunId, after?: number, limit?: number): Promise<readonly string[]> =>
      (await journal.tree(root, after, limit)).map(({ run, seq }) => `${run} ${seq}`);

    /** A root, a child and a grandchild that write in turns; another tree between them. */
    const grow = async (): Promise<readonly Lease[]> => {
      const root = await journal.create(newRun('a'), 'host', batch(1, 2));
      const child = await journal.create(newRun('a/1', { parent: A }), 'host', batch(1, 1));
      const other = await journal.create(newRun('b'), 'host', batch(1, 3));
      await journal.append(root, batch(3, 1));
      const grandchild = await journal.create(newRun('a/1/2', { parent: runId('a/1') }), 'host', batch(1, 2));
      await journal.append(other, batch(4, 1));
      await journal.append(child, batch(2, 2));
      await journal.append(root, batch(4, 2));
      return [root, child, grandchild];
    };

    const GROWN = ['a 1', 'a 2', 'a/1 1', 'a 3', 'a/1/2 1', 'a/1/2 2', 'a/1 2', 'a/1 3', 'a 4', 'a 5'];

    test('[J8] records of a batch share a commit number, and it grows along the tree', async () => {
      await grow();
      await restart();
      const [a = [], child = [], grandchild = []] = await Promise.all(['a', 'a/1', 'a/1/2'].map(runId).map(commitsOf));
      const groups = [[a[0], a[1]], [child[0]], [a[2]], grandchild, [child[1], child[2]], [a[3], a[4]]];
      for (const group of groups) expect(new Set(group).size).toBe(1);
      const order = groups.map(([commit = 0]) => commit);
      expect(order).toEqual([...new Set(order)].toSorted((one, two) => one - two));
      expect(order[0]).toBeGreaterThan(0);
      expect(order.every(Number.isSafeInteger)).toBe(true);
    });

    test('[J8] a tree is read in the order of its commits, as its runs are read', async () => {
      await grow();
      await restart();
      expect(await names(A)).toEqual(GROWN);
      expect(await names(B)).toEqual(['b 1', 'b 2', 'b 3', 'b 4']);
      const tree = await journal.tree(A);
      for (const run of ['a', 'a/1', 'a/1/2'].map(runId)) {
        const own = tree.filter((one) => one.run === run).map(({ run: _run, ...stored }) => stored);
        expect(own).toEqual(await journal.read(run));
      }
    });

    test('[J8] a tree is read on after a commit, and a limit never splits one', async () => {
      await grow();
      const tree = await journal.tree(A);
      for (const limit of [1, 2, 3, 5, 10, 99]) {
        const pages: TreeRecord[][] = [];
        for (let after = 0; ;) {
          const page = await journal.tree(A, after, limit);
          if (page.length === 0) break;
          pages.push([...page]);
          after = page.at(-1)?.commit ?? 0;
        }
        expect(pages.flat()).toEqual(tree);
        for (const page of pages)
          expect(page.length <= limit || new Set(page.map((one) => one.commit)).size === 1).toBe(true);
      }
      expect(await names(A, 0, 3)).toEqual(GROWN.slice(0, 3));
      expect(await names(A, 0, 5)).toEqual(GROWN.slice(0, 4));
      expect(await names(A, tree.at(-1)?.commit)).toEqual([]);
    });

    test('[J8] after any commit, a tree is read as its end, whichever of its runs was created first', async () => {
      for (const [first, second] of [
        ['a', 'a/1'],
        ['b/1', 'b'],
      ] as const) {
        const [one, two] = [await journal.create(newRun(first), 'host'), await journal.create(newRun(second), 'host')];
        for (let seq = 1, turn = 0; turn < 20; turn += 1, seq += 1 + (turn % 3)) {
          await journal.append(one, batch(seq, 1 + ((turn + 1) % 3)));
          if (turn % 4 === 0) await journal.append(two, batch(1 + turn / 4, 1));
        }
        const root = rootRunId(one.run);
        const tree = await journal.tree(root);
        for (let after = 0; after <= (tree.at(-1)?.commit ?? 0) + 1; after += 1)
          expect(await journal.tree(root, after)).toEqual(tree.filter(({ commit }) => commit > after));
      }
    });

    test('[J8] later records are found after the newest commit of the tree, in any run', async () => {
      const [root, child, grandchild] = await grow();
      if (root === undefined || child === undefined || grandchild === undefined) throw new Error('three leases');
      let after = (await journal.tree(A)).at(-1)?.commit ?? 0;
      for (const [lease, seq] of [
        [grandchild, 3],
        [root, 6],
        [child, 4],
      ] as const) {
        await journal.append(lease, batch(seq, 1));
        const news = await journal.tree(A, after);
        expect(news.map(({ run, seq: found }) => [run, found])).toEqual([[lease.run, seq]]);
        after = news[0]?.commit ?? after;
      }
    });

    test('[J8] runs with similar names are no part of a tree, and only a root has one', async () => {
      await journal.create(newRun('a'), 'host', batch(1, 1));
      for (const other of ['ab', 'a0', 'a-1', 'a.', 'A', 'a!'])
        await journal.create(newRun(other), 'host', batch(1, 1));
      await journal.create(newRun('a/~', { parent: A }), 'host', batch(1, 1));
      await restart();
      expect(await names(A)).toEqual(['a 1', 'a/~ 1']);
      expect((await journal.runs({ root: A })).map(({ run }) => run)).toEqual(['a/~', 'a']);
      for (const none of ['a/~', 'c'].map(runId)) {
        await expect(journal.tree(none)).rejects.toMatchObject({ code: 'RUN_UNKNOWN' });
        expect(await journal.runs({ root: none })).toEqual([]);
      }
    });

    test('[J8] the runs of a tree are listed newest first, also those that were created before their root', async () => {
      await journal.create(newRun('b/1', { parent: B }), 'host');
      await grow();
      await journal.create(newRun('b/2', { parent: B }), 'host');
      await restart();
      const listed = async (filter: Parameters<Journal['runs']>[0]): Promise<readonly RunId[]> =>
        (await journal.runs(filter)).map(({ run }) => run);
      expect(await listed({ root: A })).toEqual(['a/1/2', 'a/1', 'a']);
      expect(await listed({ root: A, limit: 1 })).toEqual(['a/1/2']);
      expect(await listed({ root: A, parent: A })).toEqual(['a/1']);
      expect(await listed({ root: A, status: 'settled' })).toEqual([]);
      expect(await listed({ root: B })).toEqual(['b/2', 'b', 'b/1']);
    });

    test('[J8] a new run keeps the commit numbers of its first records, and the tree continues above them', async () => {
      const copies = (...commits: readonly number[]): Batch => ({
        records: commits.map((commit, index) => ({ ...record(index + 1, `copy ${index}`), commit })),
        summary: RUNNING,
      });
      await journal.create(newRun('b/1', { parent: B }), 'host', copies(400, 700));
      const first = { ...copies(300, 500, 500), records: [...copies(300, 500, 500).records, record(4, 'its own')] };
      const lease = await journal.create(newRun('b'), 'host', first);
      await journal.append(lease, { ...copies(), records: [{ ...record(5, 'later'), commit: 2 }] });
      await restart();
      expect(await commitsOf(runId('b/1'))).toEqual([400, 700]);
      const [one, two, three, own = 0, later = 0] = await commitsOf(B);
      expect([one, two, three]).toEqual([300, 500, 500]);
      expect(own).toBeGreaterThan(700);
      expect(later).toBeGreaterThan(own);
      expect(await names(B)).toEqual(['b 1', 'b/1 1', 'b 2', 'b 3', 'b/1 2', 'b 4', 'b 5']);
      await expect(journal.create(newRun('c'), 'host', copies(5, 4))).rejects.toMatchObject({
        code: 'JOURNAL_CONFLICT',
      });
      expect(await journal.run(runId('c'))).toBeUndefined();
    });

    test('[J8] several processes number the records of one tree in one order', async (context) => {
      if (subject.openOther === undefined) return context.skip('the journal of one process');
      const other = await subject.openOther();
      const root = await journal.create(newRun('a'), 'host', batch(1, 1));
      const child = await other.create(newRun('a/1', { parent: A }), 'other', batch(1, 1));
      for (const seq of [2, 3, 4]) {
        await journal.append(root, batch(seq, 1));
        await other.append(child, batch(seq, 1));
      }
      expect(await names(A)).toEqual(['a 1', 'a/1 1', 'a 2', 'a/1 2', 'a 3', 'a/1 3', 'a 4', 'a/1 4']);
      expect(await other.tree(A)).toEqual(await journal.tree(A));
      return undefined;
    });

    test('[J8] a refused batch among others takes no commit number, message or place in the tree', async (context) => {
      if (subject.openOther === undefined) return context.skip('the journal of one process');
      const other = await subject.openOther();
      const create = (run: string): Promise<Lease> =>
        journal.create(newRun(run, run.includes('/') ? { parent: A } : {}), 'host', batch(1, 1));
      const [b, a, one, lost, two] = [
        await create('b'),
        await create('a'),
        await create('a/1'),
        await create('a/2'),
        await create('a/3'),
      ];
      await journal.send(A, message('m'));
      await journal.send(lost.run, message('m'));
      await other.lease(lost.run, 'other', lost);
      const next = { ...batch(2, 1), consumed: ['m'], sends: [{ run: B, message: message('to b') }] };
      const silent = { records: [], summary: RUNNING };
      const batches = [
        journal.append(one, batch(2, 2)),
        journal.append(lost, { ...next, sends: [{ run: B, message: message('lost') }] }),
        journal.append(b, batch(2, 1)),
        journal.append(two, silent),
        journal.append(a, next),
      ];
      expect((await Promise.allSettled(batches)).map(({ status }) => status)).toEqual([
        'fulfilled',
        'rejected',
        'fulfilled',
        'fulfilled',
        'fulfilled',
      ]);
      expect((await names(A)).toSorted()).toEqual(['a 1', 'a 2', 'a/1 1', 'a/1 2', 'a/1 3', 'a/2 1', 'a/3 1']);
      expect(await names(B)).toEqual(['b 1', 'b 2']);
      expect([await journal.inbox(A), await journal.inbox(lost.run), await journal.inbox(B)]).toEqual([
        [],
        [message('m')],
        [message('to b')],
      ]);
      return undefined;
    });

    test('[J7] the same batch again is accepted, and changes nothing', async () => {
      const lease = await journal.create(newRun('a'), 'host');
      await journal.create(newRun('b'), 'host');
      await journal.send(A, message('m'));
      const first: Batch = { ...batch(1, 2), consumed: ['m'], sends: [{ run: B, message: message('to b') }] };
      await Promise.all([journal.append(lease, first), journal.append(lease, first)]);
      await journal.append(lease, batch(3, 2, { status: 'waiting', outcome: null }));
      const [before, tree] = [await journal.run(A), await journal.tree(A)];
      await restart();
      await journal.append(lease, structuredClone(first));
      await journal.append(lease, batch(3, 2, { status: 'waiting', outcome: null }));
      expect(await journal.run(A)).toEqual(before);
      expect(await journal.tree(A)).toEqual(tree);
      expect(await journal.inbox(B)).toEqual([message('to b')]);
      await journal.append(lease, batch(5, 1));
      expect(await contents(journal.read(A))).toEqual(records(1, 5));
    });

    test('[J7] a batch with other contents, or of which only a part is there, is refused', async () => {
      const lease = await journal.create(newRun('a'), 'host');
      await journal.append(lease, batch(1, 3));
      const later = batch(2, 2).records.map((one) => ({ ...one, at: one.at + 1 }));
      for (const other of [
        { records: [record(2, 'another'), ...records(3, 1)], summary: RUNNING },
        { records: [...records(2, 1), record(3, 'another')], summary: RUNNING },
        { records: later, summary: RUNNING },
        { records: [...records(1, 1), ...records(3, 1)], summary: RUNNING },
        batch(3, 2),
        batch(0, 2),
      ]) {
        await expect(journal.append(lease, other)).rejects.toMatchObject({ code: 'JOURNAL_CONFLICT' });
      }
      expect(await contents(journal.read(A))).toEqual(records(1, 3));
    });

    test('[J7] [J3] a repeat is accepted from the newest lease only', async () => {
      const old = await journal.create(newRun('a'), 'host');
      await journal.append(old, batch(1, 1));
      const fresh = await journal.lease(A, 'host');
      await expect(journal.append(old, batch(1, 1))).rejects.toMatchObject({ code: 'LEASE_LOST' });
      await journal.release(fresh);
      await expect(journal.append(fresh, batch(1, 1))).rejects.toMatchObject({ code: 'LEASE_LOST' });
    });

    test('[J7] the same creation again gives the same lease, also after more was appended', async () => {
      const first: Batch = { ...batch(1, 2), sends: [{ run: A, message: message('m') }] };
      const lease = await journal.create(newRun('a'), 'host', first);
      const bare = await journal.create(newRun('b'), 'host');
      await restart();
      expect(await journal.create(structuredClone(newRun('a')), 'host', structuredClone(first))).toEqual(lease);
      expect(await journal.create(newRun('b'), 'host')).toEqual(bare);
      await journal.append(lease, batch(3, 1));
      expect(await journal.create(newRun('a'), 'host', first)).toEqual(lease);
      await journal.append(lease, batch(4, 1));
      expect(await contents(journal.read(A))).toEqual(records(1, 4));
      expect(await journal.inbox(A)).toEqual([message('m')]);
      expect(await journal.runs()).toHaveLength(2);
    });

    test('[J7] a creation that differs, or whose run was leased or released since, finds the id taken', async () => {
      const expectTaken = async (run: NewRun, owner: string, first: Batch): Promise<void> => {
        await expect(journal.create(run, owner, first)).rejects.toMatchObject({ code: 'RUN_EXISTS' });
      };
      await journal.create(newRun('a'), 'host', batch(1, 2));
      await expectTaken(newRun('a', { at: 2 }), 'host', batch(1, 2));
      await expectTaken(newRun('a'), 'another host', batch(1, 2));
      await expectTaken(newRun('a'), 'host', { records: [record(1, 'another')], summary: RUNNING });
      await expectTaken(newRun('a'), 'host', batch(1, 3));
      await journal.lease(A, 'host');
      await expectTaken(newRun('a'), 'host', batch(1, 2));
      await journal.release(await journal.create(newRun('b'), 'host', batch(1, 1)));
      await expectTaken(newRun('b'), 'host', batch(1, 1));
    });

    test('[J7] another process with the same name for itself does not get the lease of a creation', async (context) => {
      if (subject.openOther === undefined) return context.skip('the journal of one process');
      await journal.create(newRun('a'), 'host', batch(1, 1));
      const other = await subject.openOther();
      await expect(other.create(newRun('a'), 'host', batch(1, 1))).rejects.toMatchObject({ code: 'RUN_EXISTS' });
      return undefined;
    });

    test('[J1] [J6] messages to other runs go with the records: all of it or nothing', async () => {
      const a = await journal.create(newRun('a'), 'host');
      const b = await journal.create(newRun('b'), 'host');
      const sends = [
        { run: B, message: message('one') },
        { run: runId('missing'), message: message('lost') },
        { run: A, message: message('to itself') },
        { run: B, message: message('two') },
        { run: B, message: { ...message('one'), body: 'again' } },
      ];
      await expect(journal.append(a, { ...batch(7, 1), sends })).rejects.toMatchObject({ code: 'JOURNAL_CONFLICT' });
      expect(await journal.addressed()).toEqual([]);
      await journal.append(a, { ...batch(1, 1), sends });
      await restart();
      expect(await journal.inbox(B)).toEqual([message('one'), message('two')]);
      expect(await journal.inbox(A)).toEqual([message('to itself')]);
      expect(await journal.run(runId('missing'))).toBeUndefined();
      expect(new Set(await journal.addressed())).toEqual(new Set(['a', 'b']));
      await journal.append(b, { ...batch(1, 1), consumed: ['one', 'two'], sends: sends.slice(0, 1) });
      expect(await journal.inbox(B)).toEqual([]);
    });

    test('[J1] [J6] a run may be created with messages to others', async () => {
      await journal.create(newRun('a'), 'host');
      const sends = [
        { run: A, message: message('born') },
        { run: runId('a/1'), message: message('to itself') },
      ];
      await journal.create(newRun('a/1', { parent: A }), 'host', { ...batch(1, 1), sends });
      expect(await journal.inbox(A)).toEqual([message('born')]);
      expect(await journal.inbox(runId('a/1'))).toEqual([message('to itself')]);
    });

    test('[J6] a settled run is addressed only while a process drives it', async () => {
      const lease = await journal.create(newRun('a'), 'host');
      await journal.send(A, message('m'));
      await journal.append(lease, batch(1, 1, { status: 'settled', outcome: 'ok' }));
      expect(await journal.addressed()).toEqual(['a']);
      await journal.release(lease);
      await restart();
      expect(await journal.addressed()).toEqual([]);
      expect(await journal.inbox(A)).toEqual([message('m')]);
      await journal.send(A, message('n'));
      expect(await journal.addressed()).toEqual([]);
      const again = await journal.lease(A, 'host');
      expect(await journal.addressed()).toEqual(['a']);
      await journal.append(again, batch(2, 1));
      await journal.release(again);
      expect(await journal.addressed()).toEqual(['a']);
    });

    test('[L2] a listener learns which runs have new records or messages', async () => {
      const lease = await journal.create(newRun('a'), 'host');
      await journal.create(newRun('b'), 'host');
      const heard = eventually();
      const changes: (ReadonlySet<RunId> | null)[] = [];
      journal.onChange((changed) => {
        changes.push(changed);
        heard.ring();
      });
      const until = async (run: string): Promise<void> => {
        while (!changes.some((changed) => changed === null || changed.has(runId(run)))) await heard.next();
        changes.length = 0;
      };
      await journal.append(lease, batch(1, 1));
      await until('a');
      await journal.append(lease, { ...batch(2, 1), sends: [{ run: B, message: message('m') }] });
      await until('b');
      await journal.send(B, message('n'));
      await until('b');
      await journal.create(newRun('a/1', { parent: A }), 'host');
      await until('a/1');
      expect(await journal.tree(A)).toHaveLength(2);
    });

    test('[L2] a listener learns what another process wrote', async (context) => {
      if (subject.openOther === undefined) return context.skip('the journal of one process');
      const other = await subject.openOther();
      const heard = eventually();
      journal.onChange((changed) => {
        if (changed === null || changed.has(A)) heard.ring();
      });
      await other.create(newRun('a'), 'other', batch(1, 1));
      await heard.next();
      expect(await names(A)).toEqual(['a 1']);
      return undefined;
    });
  });
}

import { expect, test } from 'vitest';
import type { RegisteredWorker } from '../../journal/postgres/shared-journal.ts';
import { takeFromDead } from './worker.ts';

test('[U8] a worker that registers and takes an entry during a look around keeps it; a dead one does not', async () => {
  const workers: { readonly id: string; readonly isAlive: boolean }[] = [{ id: 'dead', isAlive: false }];
  const [old, fresh] = [{ workflowID: 'a#1' }, { workflowID: 'b#1' }];
  const given: unknown[] = [];
  const entries = {
    taken: () => {
      workers.push({ id: 'new', isAlive: true });
      return Promise.resolve(new Map(Object.entries({ dead: [old], new: [fresh] })));
    },
    giveBack: (list: readonly unknown[] = []) => Promise.resolve(void given.push(...list)),
  };
  const journal = { workers: () => Promise.resolve([...workers] as unknown as readonly RegisteredWorker[]) };
  await takeFromDead(entries, journal);
  expect(given).toEqual([old]);
});

import { expect, test } from 'vitest';
import { runId, type RunId } from '../../core/model/ids.ts';
import { createMemoryJournal } from '../../journal/memory/memory-journal.ts';
import type { OpenStore } from '../world/store.ts';
import { isGoingOn, queuedNow, whoTakes } from './queued-run.ts';

const worker = { id: 'w', isAlive: true, isDraining: false, work: { slots: 1, offers: [] } };

test('[U8] a run that sleeps says until when, and then what keeps it from a worker', async () => {
  const journal = createMemoryJournal();
  const run = runId('sleeper');
  const lease = await journal.create({ run, parent: null, workflow: 'w', project: '.', title: '', at: 1 }, 'laptop');
  const store = { journal, shared: { workers: () => Promise.resolve([]) } } as unknown as OpenStore;
  const summary = { status: 'running', outcome: null } as const;
  const until = Date.UTC(9999, 0, 1, 7);
  await journal.append(lease, { records: [], summary: { ...summary, wakesAt: until } });
  await journal.release(lease);
  expect(await queuedNow(store, run)).toEqual({
    queued: { kind: 'sleeps', text: 'sleeps until 9999-01-01 07:00:00 UTC', until },
  });
  expect(await isGoingOn(store, run)).toBe(true);
  const lacks = { queued: { kind: 'lacks', text: expect.stringContaining('no worker is running') } };
  expect(await whoTakes(store, run)).toEqual(lacks);
  const again = await journal.lease(run, 'laptop');
  await journal.append(again, { records: [], summary: { ...summary, wakesAt: 1 } });
  await journal.release(again);
  expect(await queuedNow(store, run)).toEqual(lacks);
  expect(await isGoingOn(store, run)).toBe(false);
});

test('[U8] a queued unit says what its root needs of a worker', async () => {
  const journal = createMemoryJournal();
  const create = async (run: RunId, parent: RunId | null, needs?: readonly string[]): Promise<void> => {
    const about = { run, parent, workflow: 'w', project: '.', title: '', at: 1 };
    await journal.release(await journal.create({ ...about, ...(needs === undefined ? {} : { needs }) }, 'laptop'));
  };
  const [root, unit] = [runId('root'), runId('root/t1')];
  await create(root, null, ['label gpu']);
  await create(unit, root);
  const store = { journal, shared: { workers: () => Promise.resolve([worker]) } } as unknown as OpenStore;
  const lacks = { queued: { kind: 'lacks', text: 'no worker offers label gpu' } };
  for (const run of [root, unit]) expect(await queuedNow(store, run)).toEqual(lacks);
});

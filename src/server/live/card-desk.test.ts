import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import type { Fact, JournalRecord } from '../../core/record/fact.ts';
import { runId, taskId, type RunId } from '../../core/model/ids.ts';
import { startedRun } from '../../core/testing/started-run.ts';
import { createMemoryJournal } from '../../journal/memory/memory-journal.ts';
import type { Journal, Lease } from '../../journal/port.ts';
import { CardDesk } from './card-desk.ts';
import { RunIndex } from './run-index.ts';

let journal: Journal;
let index: RunIndex;
let desk: CardDesk;
/** Where each read began. */
let reads: number[];
const RUN = runId('a');

beforeEach(() => {
  journal = createMemoryJournal();
  index = new RunIndex(journal);
  reads = [];
  const read: Journal['read'] = (run, after = 0, limit) => {
    reads.push(after);
    return journal.read(run, after, limit);
  };
  desk = new CardDesk({ read }, index);
});

const spent: Fact = {
  kind: 'usage.noted',
  task: taskId('t1'),
  usage: { inputTokens: 1, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, calls: 1 },
  costUsd: 1,
};

async function begin(): Promise<Lease> {
  return await journal.create({ run: RUN, parent: null, workflow: 'w', project: '/p', title: '', at: 1 }, 'host');
}

async function add(lease: Lease, facts: readonly Fact[]): Promise<void> {
  const { seq = 0 } = (await journal.run(RUN)) ?? {};
  const records = facts.map((fact, place): JournalRecord => ({ seq: seq + place + 1, at: 1, fact }));
  await journal.append(lease, { records, summary: { status: 'running', outcome: null } });
  await index.survey();
}

test('[U2] [WL9] a card is folded on from where it was, never from the start again', async () => {
  const lease = await begin();
  await add(lease, [startedRun('a'), ...Array.from({ length: 1100 }, () => spent)]);
  await desk.read([RUN], 5000);
  expect(desk.card(RUN)?.details?.costUsd).toBe(1100);
  const first = reads.length;
  expect(reads).toEqual([...new Set(reads)].toSorted((a, b) => a - b));
  await add(lease, [spent]);
  await desk.read([RUN], 5000);
  expect(desk.card(RUN)).toMatchObject({ seq: 1102, details: { costUsd: 1101 } });
  expect(reads.slice(first).every((after) => after === 1101)).toBe(true);
});

test('[U2] [WL9] a card is there before its records are read, and others have their turn while they are', async () => {
  const lease = await begin();
  await add(lease, [startedRun('a'), ...Array.from({ length: 5000 }, () => spent)]);
  expect(desk.card(RUN)).toMatchObject({ run: 'a', column: 'running', details: null });
  let turns = 0;
  const counting = setInterval(() => (turns += 1), 0);
  const reading = desk.read([RUN], 60_000);
  expect(desk.card(RUN)?.details).toBe(null);
  await reading;
  clearInterval(counting);
  expect(desk.card(RUN)?.details).not.toBe(null);
  expect(turns).toBeGreaterThan(0);
});

test('[J4] [WL12] a run that cannot be folded is a card with damage', async () => {
  const lease = await begin();
  await add(lease, [spent]);
  await desk.read([RUN], 5000);
  expect(desk.card(RUN)).toMatchObject({ details: null, damage: expect.any(String) as string });
});

test('[U8] a queued run says on its card what it waits for, and the card is reported when that changes', async () => {
  const lease = await begin();
  await add(lease, [startedRun('a')]);
  await journal.release(lease);
  await index.survey();
  const workers: { isAlive: boolean; isDraining: boolean; offers: readonly string[] }[] = [];
  const shared = new CardDesk(journal, index, () => Promise.resolve([...workers]));
  await shared.checkWorkers();
  expect(shared.card(RUN)).toMatchObject({
    status: 'queued',
    queued: { kind: 'lacks', text: expect.stringMatching(/^no worker is running/) },
  });
  const changes: RunId[] = [];
  shared.onCard((root) => changes.push(root));
  workers.push({ isAlive: true, isDraining: false, offers: [] });
  await shared.checkWorkers();
  expect(shared.card(RUN)).toMatchObject({ status: 'queued', queued: { kind: 'free-soon' }, column: 'running' });
  await shared.checkWorkers();
  expect(changes).toEqual([RUN]);
  expect(desk.card(RUN)).toMatchObject({ status: 'stopped' });
});

test('[U8] the card of a run that sleeps is reported when it should have woken', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 1000 });
  onTestFinished(() => void vi.useRealTimers());
  const lease = await begin();
  await add(lease, [startedRun('a')]);
  await journal.append(lease, { records: [], summary: { status: 'running', outcome: null, wakesAt: 5000 } });
  await journal.release(lease);
  await index.survey();
  const shared = new CardDesk(journal, index, () => Promise.resolve([]));
  await shared.checkWorkers();
  expect(shared.card(RUN)).toMatchObject({ queued: { kind: 'sleeps', until: 5000 } });
  const told: RunId[] = [];
  shared.onCard((root) => told.push(root));
  await shared.checkWorkers();
  expect(told).toEqual([]);
  vi.setSystemTime(6000);
  await shared.checkWorkers();
  expect(told).toEqual([RUN]);
  expect(shared.card(RUN)).toMatchObject({ queued: { kind: 'lacks' } });
});

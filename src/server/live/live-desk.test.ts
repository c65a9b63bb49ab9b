import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runId } from '../../core/model/ids.ts';
import { createMemoryJournal } from '../../journal/memory/memory-journal.ts';
import type { Journal } from '../../journal/port.ts';
import { openSqliteJournal } from '../../journal/sqlite/sqlite-journal.ts';
import { sampleBatch, sampleRun } from '../../journal/sqlite/testing/sample.ts';
import { wordsFile } from '../../protocol/web/live-words.ts';
import type { StreamBatch } from '../../protocol/web/stream.ts';
import { LiveDesk } from './live-desk.ts';
import { RecordFeed } from './record-feed.ts';
import { TreeFeed } from './tree-feed.ts';

let home: string;
beforeEach(() => void (home = mkdtempSync(join(tmpdir(), 'troupe-desk-'))));
afterEach(() => rmSync(home, { recursive: true, force: true }));

const batchIn = (text: string | null): StreamBatch =>
  JSON.parse(/^data: (.*)$/m.exec(text ?? '')?.[1] ?? '') as StreamBatch;

/** A journal that counts who listens. */
function counted(journal: Journal): { readonly journal: Journal; readonly listeners: () => number } {
  let listeners = 0;
  const onChange: Journal['onChange'] = (listener) => {
    const stop = journal.onChange(listener);
    listeners += 1;
    return () => {
      stop();
      listeners -= 1;
    };
  };
  const reading = {
    run: journal.run.bind(journal),
    runs: journal.runs.bind(journal),
    read: journal.read.bind(journal),
  };
  return { journal: { ...journal, ...reading, onChange }, listeners: () => listeners };
}

test('[U2] [WL7] the desk listens to the journal only while somebody listens to it', async () => {
  const { journal, listeners } = counted(createMemoryJournal());
  const desk = new LiveDesk({ journal, home });
  expect(listeners()).toBe(0);
  const feeds = [new TreeFeed(desk, { cards: true, after: {} }), new TreeFeed(desk, { cards: false, after: {} })];
  expect(listeners()).toBeGreaterThan(0);
  for (const feed of feeds) feed.close();
  expect(listeners()).toBe(0);
});

test('[U2] [WL7] two who follow a run share one reader, and what it has read is made once', async () => {
  const memory = createMemoryJournal();
  const lease = await memory.create(sampleRun('a'), 'host', sampleBatch('a', 1, 3));
  const desk = new LiveDesk({ journal: memory, home });
  await desk.index.survey();
  const [one, two] = [desk.follow(runId('a'), 3, () => undefined), desk.follow(runId('a'), 3, () => undefined)];
  expect(one.reader).toBe(two.reader);
  await memory.append(lease, sampleBatch('a', 4, 400));
  await one.reader.readOn();
  expect(one.reader.tip).toBe(403);
  expect(one.reader.recentAfter(402)).toHaveLength(1);
  expect(one.reader.recentAfter(402)?.[0]).toBe(two.reader.recentAfter(402)?.[0]);
  // A client that is far behind reads the journal.
  expect(one.reader.recentAfter(3)).toBeNull();
  one.stop();
  expect(two.reader.isFollowed).toBe(true);
  two.stop();
  expect(desk.follow(runId('a'), 403, () => undefined).reader).not.toBe(one.reader);
});

test('[U8] what happens to runs is seen also where the workers cannot be listed', { timeout: 60_000 }, async () => {
  const memory = createMemoryJournal();
  const lease = await memory.create(sampleRun('a'), 'host', sampleBatch('a', 1, 3));
  const desk = new LiveDesk({ journal: memory, home, workers: () => Promise.reject(new Error('away')) });
  await desk.index.survey();
  const broken: unknown[] = [];
  const leave = desk.open({ words: () => undefined, broken: (error) => broken.push(error) });
  await memory.append(lease, sampleBatch('a', 4, 1));
  await expect.poll(() => desk.index.info(runId('a'))?.seq, { timeout: 30_000 }).toBe(4);
  leave();
  expect(broken).toContainEqual(new Error('away'));
});

test('[J4] [WL8] a journal that cannot be read any more is reported for every run, and the stream ends', async () => {
  const journal = await openSqliteJournal({ home });
  await journal.create(sampleRun('a'), 'host', sampleBatch('a', 1, 3));
  const desk = new LiveDesk({ journal, home });
  await desk.index.survey();
  const feed = new TreeFeed(desk, { cards: false, after: { a: 0 } });
  expect(batchIn(await feed.next()).records).toHaveLength(3);
  await journal.close();
  expect(batchIn(await feed.next()).lost).toMatchObject([{ run: 'a', code: 'JOURNAL_CLOSED' }]);
  expect(await feed.next()).toBeNull();
  feed.close();
});

test('[J4] [WL4] a client that follows one run alone also learns that the journal cannot be read any more', async () => {
  const journal = await openSqliteJournal({ home });
  await journal.create(sampleRun('a'), 'host', sampleBatch('a', 1, 3));
  const desk = new LiveDesk({ journal, home });
  const feed = new RecordFeed(desk, { run: runId('a'), seq: 3, after: 0 });
  expect((await feed.next())?.match(/^id: \d+$/gm)).toEqual(['id: 1', 'id: 2', 'id: 3']);
  await journal.close();
  expect(await feed.next()).toMatch(/^event: lost\ndata: .*"code":"JOURNAL_CLOSED"/);
  expect(await feed.next()).toBeNull();
  feed.close();
});

test('[U2] [WL15] when the last client leaves a tree all its words are forgotten, also those of runs without a client', async () => {
  const memory = createMemoryJournal();
  await memory.create(sampleRun('a'), 'host', sampleBatch('a', 1, 3));
  const desk = new LiveDesk({ journal: memory, home });
  await desk.index.survey();
  const line = (run: string): string =>
    `${JSON.stringify({ run, task: 't1', agent: 'coder', offset: 0, text: 'Hello', after: 3 })}\n`;
  mkdirSync(join(home, 'live'));
  writeFileSync(join(home, 'live', wordsFile('a')), line('a') + line('a/t9'));
  const { promise, resolve } = Promise.withResolvers<void>();
  const leave = desk.open({ words: (run) => run === 'a/t9' && resolve(), broken: () => undefined });
  const [one, two] = [desk.follow(runId('a'), 3, () => undefined), desk.follow(runId('a'), 3, () => undefined)];
  await promise;
  const known = (): readonly number[] => ['a', 'a/t9'].map((run) => [...desk.words.of(run)].length);
  one.stop();
  // A stream that is cancelled while it waits leaves twice; the others stay.
  one.stop();
  expect(known()).toEqual([1, 1]);
  two.stop();
  expect(known()).toEqual([0, 0]);
  leave();
});

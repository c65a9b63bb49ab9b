import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { randomFrom } from '../../../src/journal/sqlite/testing/random.ts';
import { sampleRecord } from '../../../src/journal/sqlite/testing/sample.ts';
import { startWriter } from '../../../src/journal/sqlite/testing/start-writer.ts';
import type { PageRecord } from '../../../src/protocol/web/record-page.ts';
import { openEvents, type SentEvent } from './event-reader.ts';
import { openLiveServer, type LiveServer } from './live-server.ts';
import { said, WrittenRun } from './written-run.ts';

let server: LiveServer;
beforeEach(async () => void (server = await openLiveServer({ heartbeatMs: 50 })));
afterEach(() => server.close());

const lineOf = ({ data }: SentEvent): PageRecord => JSON.parse(data) as PageRecord;

test('[U2] [WL4] events of a run: history first, then what comes, their ids are the numbers of the records', async () => {
  const run = await WrittenRun.begin(server.journal, 'a');
  await run.add(...Array.from({ length: 700 }, (_, index) => said(`old ${index}`)));
  const events = await openEvents(`${server.url}/api/runs/a/events`);
  expect(events.response.headers.get('content-type')).toContain('text/event-stream');
  expect(events.response.headers.get('cache-control')).toBe('no-store');
  const old = await events.until((seen) => seen.length === 702);
  expect(old.map(({ id }) => Number(id))).toEqual(Array.from({ length: 702 }, (_, index) => index + 1));
  await run.add(said('new'));
  const [fresh] = await events.until((seen) => seen.length === 1);
  expect(fresh).toMatchObject({ event: 'record', id: '703' });
  expect(lineOf(fresh as SentEvent)).toEqual({
    run: 'a',
    record: { seq: 703, at: 1703, fact: said('new'), commit: expect.any(Number) },
  });
  events.close();
});

test('[U2] [WL4] Last-Event-ID wins over the address, which wins over the beginning', async () => {
  const run = await WrittenRun.begin(server.journal, 'a');
  await run.add(said('3'), said('4'), said('5'));
  const firstId = async (path: string, headers: Record<string, string> = {}): Promise<string | null> => {
    const events = await openEvents(`${server.url}/api/runs/a/events${path}`, { headers });
    const first = await events.next();
    events.close();
    return first?.id ?? null;
  };
  expect(await firstId('')).toBe('1');
  expect(await firstId('?after=2')).toBe('3');
  expect(await firstId('?after=2', { 'Last-Event-ID': '4' })).toBe('5');
});

test('[U2] [WL7] who asks only for the head of a stream leaves nothing behind that goes on', async () => {
  await WrittenRun.begin(server.journal, 'a');
  const head = await fetch(`${server.url}/api/runs/a/events`, { method: 'HEAD' });
  expect([head.status, head.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
  // A process that follows a run makes this folder before anything else.
  expect(existsSync(join(server.home, 'live'))).toBe(false);
});

test('[U2] [WL4] a client that knows more records than there are gets an error instead of waiting for ever', async () => {
  await WrittenRun.begin(server.journal, 'a');
  const events = await openEvents(`${server.url}/api/runs/a/events`, { headers: { 'Last-Event-ID': '99' } });
  const lost = await events.next();
  expect(lost?.event).toBe('lost');
  expect(JSON.parse(lost?.data ?? '')).toMatchObject({ run: 'a', code: 'RUN_SHORTER' });
  expect(await events.next()).toBeNull();
});

test(
  '[U2] [WL4] reconnecting at random points while another process writes: nothing is missed, nothing comes twice',
  { timeout: 60_000 },
  async () => {
    const random = randomFrom(7);
    const writer = startWriter({ home: server.home, run: 'w', batches: 300, size: 3 });
    await writer.said(2);
    const seen: number[] = [];
    let connections = 0;
    while (seen.length < 900) {
      connections += 1;
      const headers: Record<string, string> = seen.length === 0 ? {} : { 'Last-Event-ID': String(seen.at(-1)) };
      const events = await openEvents(`${server.url}/api/runs/w/events`, { headers });
      const wanted = Math.min(1 + random(60), 900 - seen.length);
      for (const event of await events.until((some) => some.length >= wanted)) {
        const { record } = lineOf(event);
        expect(record).toEqual({ ...sampleRecord('w', Number(event.id)), commit: expect.any(Number) });
        seen.push(record.seq);
      }
      events.close();
    }
    expect(seen).toEqual(Array.from({ length: 900 }, (_, index) => index + 1));
    expect(connections).toBeGreaterThan(10);
    expect(await writer.ended()).toBe(0);
  },
);

test('[U2] [WL6] while nothing happens the connection is kept alive by comments', async () => {
  await WrittenRun.begin(server.journal, 'a');
  const answer = await fetch(`${server.url}/api/runs/a/events?after=2`);
  const reader = (answer.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  while (text.split(': still here').length < 3) text += (await reader.read()).value ?? '';
  await reader.cancel();
  expect(text).toBe('retry: 1000\n\n: still here\n\n: still here\n\n');
});

test('[J4] [WL4] a run that is damaged while it is looked at is reported as lost, and the stream ends', async () => {
  const run = await WrittenRun.begin(server.journal, 'a');
  await run.add(said('before'));
  const events = await openEvents(`${server.url}/api/runs/a/events`);
  await events.until((seen) => seen.length === 3);
  await run.add(said('harmless'), said('spoilt'));
  const database = new DatabaseSync(join(server.home, 'journal.db'), { timeout: 5000 });
  database.exec(`UPDATE records SET body = replace(body, 'spoilt', 'broken')`);
  database.close();
  const again = await openEvents(`${server.url}/api/runs/a/events`);
  const seen = await again.until((some) => some.some(({ event }) => event === 'lost'));
  expect(JSON.parse(seen.at(-1)?.data ?? '')).toMatchObject({ run: 'a', code: 'JOURNAL_DAMAGED' });
  expect(await again.next()).toBeNull();
  events.close();
});

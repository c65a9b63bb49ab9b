import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startWriter } from '../../../src/journal/sqlite/testing/start-writer.ts';
import { openLiveServer, type LiveServer } from './live-server.ts';
import { TreeFollower } from './tree-follower.ts';
import { asks, calls, said, WrittenRun } from './written-run.ts';

let server: LiveServer;
const followers: TreeFollower[] = [];
beforeEach(async () => void (server = await openLiveServer()));
afterEach(async () => {
  for (const follower of followers.splice(0)) follower.close();
  await server.close();
});

async function follow(after: Record<string, number>, cards = false): Promise<TreeFollower> {
  const follower = await TreeFollower.open(server.url, { cards, after });
  followers.push(follower);
  return follower;
}

const upTo = (last: number, first = 1): readonly number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

test('[U2] [WL5] one stream tells of many runs, and of those below them as they begin', async () => {
  const [a, b] = [await WrittenRun.begin(server.journal, 'a'), await WrittenRun.begin(server.journal, 'b')];
  const old = await WrittenRun.begin(server.journal, 'a/t1', { parent: 'a' });
  await WrittenRun.begin(server.journal, 'c');
  const follower = await follow({ a: 0, b: 1 });
  await follower.until(() => follower.numbers('a').length === 2 && follower.numbers('b').length === 1);
  await a.add(calls('t2'));
  const fresh = await WrittenRun.begin(server.journal, 'a/t2', { parent: 'a' });
  const deeper = await WrittenRun.begin(server.journal, 'a/t2/t1', { parent: 'a/t2' });
  await Promise.all([old.add(said('x')), fresh.add(said('y')), deeper.add(said('z')), b.add(said('w'))]);
  await follower.until(() => follower.numbers('a/t2/t1').length === 3 && follower.numbers('b').length === 2);
  await follower.until(() => follower.numbers('a/t1').length === 3 && follower.numbers('a/t2').length === 3);
  expect(follower.numbers('a')).toEqual([1, 2, 3]);
  expect(follower.numbers('b')).toEqual([2, 3]);
  for (const child of ['a/t1', 'a/t2', 'a/t2/t1']) expect(follower.numbers(child)).toEqual([1, 2, 3]);
  expect(follower.numbers('c')).toEqual([]);
});

test('[U2] [WL5] a client that comes back says how far it has read each run, and gets the rest once', async () => {
  const run = await WrittenRun.begin(server.journal, 'a');
  const child = await WrittenRun.begin(server.journal, 'a/t1', { parent: 'a' });
  await run.add(...upTo(1500).map((index) => said(`${index}`)));
  await child.add(said('three'));
  const follower = await follow({ a: 1000, 'a/t1': 2 });
  await follower.until(() => follower.numbers('a').length === 502 && follower.numbers('a/t1').length === 1);
  expect(follower.numbers('a')).toEqual(upTo(1502, 1001));
  expect(follower.numbers('a/t1')).toEqual([3]);
});

test(
  '[U2] [WL7] two streams and three processes: everybody hears everything once, in order',
  { timeout: 60_000 },
  async () => {
    const writers = ['x', 'y', 'z'].map((run) => startWriter({ home: server.home, run, batches: 60, size: 5 }));
    await Promise.all(writers.map((writer) => writer.said(1)));
    const both = [await follow({ x: 0, y: 0, z: 0 }), await follow({ x: 0, z: 0 })];
    for (const follower of both) {
      await follower.until(() => follower.numbers('x').length >= 300 && follower.numbers('z').length >= 300);
      expect(follower.numbers('x')).toEqual(upTo(300));
      expect(follower.numbers('z')).toEqual(upTo(300));
    }
    expect(await Promise.all(writers.map((writer) => writer.ended()))).toEqual([0, 0, 0]);
  },
);

test('[U2] [WL8] a run that is not there, or shorter than it was known to be, is lost; the others go on', async () => {
  const run = await WrittenRun.begin(server.journal, 'a');
  await WrittenRun.begin(server.journal, 'b');
  const follower = await follow({ a: 0, b: 7, nobody: 0 });
  await follower.until(() => follower.lost().length === 2);
  expect(follower.lost().map(({ run: name, code }) => [name, code])).toEqual([
    ['b', 'RUN_SHORTER'],
    ['nobody', 'RUN_UNKNOWN'],
  ]);
  await run.add(said('still here'));
  await follower.until(() => follower.numbers('a').length === 3);
});

test('[U2] [WL8] notes on a run that is over are known to clients that have read it, and no loss', async () => {
  const run = await WrittenRun.begin(server.journal, 'a');
  await run.settle();
  const early = await follow({ a: 0 });
  await early.until(() => early.numbers('a').length === 3);
  await run.addWith({ status: 'settled', outcome: 'ok' }, said('a note'));
  const late = await follow({ a: 4 });
  await run.addWith({ status: 'settled', outcome: 'ok' }, said('another'));
  await late.until(() => late.numbers('a').length + late.lost().length > 0);
  expect([late.numbers('a'), late.lost()]).toEqual([[5], []]);
});

test('[J4] [WL8] a run that is damaged while it is followed is lost; the others go on', async () => {
  const [a, b] = [await WrittenRun.begin(server.journal, 'a'), await WrittenRun.begin(server.journal, 'b')];
  const follower = await follow({ a: 2, b: 2 });
  await a.add(said('sound'));
  await follower.until(() => follower.numbers('a').length === 1);
  const database = new DatabaseSync(join(server.home, 'journal.db'), { timeout: 5000 });
  database.exec(`UPDATE records SET hash = 'x' WHERE body LIKE '%sound%'`);
  database.close();
  await a.add(said('after it'));
  await follower.until(() => follower.lost().length === 1);
  expect(follower.lost()[0]).toMatchObject({ run: 'a', code: 'JOURNAL_DAMAGED' });
  await b.add(said('whole'));
  await follower.until(() => follower.numbers('b').length === 1);
});

test('[U2] [WL9] a run whose process is killed is stopped on its card, without any further record', async () => {
  const writer = startWriter({ home: server.home, run: 'x', batches: 1_000_000, size: 1 });
  await writer.said(1);
  const follower = await follow({}, true);
  await follower.until(() => follower.card('x')?.status === 'running');
  await writer.kill();
  await follower.until(() => follower.card('x')?.status === 'stopped');
  expect(follower.card('x')).toMatchObject({ column: 'needs-you', driven: false });
});

test('[U2] [WL9] cards are sent when they change: a question below, its answer, the end', async () => {
  const run = await WrittenRun.begin(server.journal, 'a', { title: 'Fix the tests' });
  const follower = await follow({}, true);
  await follower.until(() => follower.card('a')?.details != null);
  expect(follower.card('a')).toMatchObject({ column: 'running', title: 'Fix the tests', details: { state: 'first' } });
  await run.add(calls('t1'));
  const child = await WrittenRun.begin(server.journal, 'a/t1', { parent: 'a' });
  await child.addWith({ status: 'waiting', outcome: null }, asks('t1', 'Which one?'));
  await follower.until(() => (follower.card('a')?.details?.questions.length ?? 0) > 0);
  expect(follower.card('a')).toMatchObject({
    column: 'needs-you',
    status: 'waiting',
    details: { questions: [{ name: 't1/q1', text: 'Which one?' }] },
  });
  await child.settle('failed');
  await run.settle('failed');
  await follower.until(() => follower.card('a')?.status === 'settled');
  expect(follower.card('a')).toMatchObject({ column: 'failed', outcome: 'failed' });
  const fresh = await WrittenRun.begin(server.journal, 'b', { title: 'Another' });
  await fresh.settle();
  await follower.until(() => follower.card('b')?.column === 'done' && follower.card('b')?.details != null);
  expect(follower.card('a/t1')).toBeUndefined();
});

test(
  '[U2] [WL6] a client that reads nothing does not slow down others, and gets all of it when it reads on',
  { timeout: 60_000 },
  async () => {
    const run = await WrittenRun.begin(server.journal, 'a');
    const body = JSON.stringify({ cards: false, after: { a: 0 } });
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    await once(socket, 'connect');
    socket.pause();
    socket.write(
      `POST /api/stream HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    const follower = await follow({ a: 0 });
    const text = 'x'.repeat(15_000);
    for (let count = 0; count < 16; count += 1) await run.add(...upTo(50).map((index) => said(`${index} ${text}`)));
    await follower.until(() => follower.numbers('a').length === 802);
    expect(follower.numbers('a')).toEqual(upTo(802));
    const numbers = await numbersFrom(socket, 802);
    socket.destroy();
    expect(numbers).toEqual(upTo(802));
  },
);

/** Of all records up to this one, as they come. */
async function numbersFrom(socket: Socket, last: number): Promise<readonly number[]> {
  const numbers: number[] = [];
  let rest = '';
  for await (const piece of socket as AsyncIterable<Buffer>) {
    const text = rest + piece.toString('latin1');
    for (const match of text.matchAll(/"record":\{"seq":(\d+),/g)) numbers.push(Number(match[1]));
    if (numbers.at(-1) === last) break;
    // What may be the beginning of a further one.
    rest = /"record":\{"seq":\d+,/.test(text.slice(-40)) ? '' : text.slice(-40);
  }
  return numbers;
}

test.each([
  ['{}', 'REQUEST_INVALID'],
  ['{"cards":true,"after":{"a":-1}}', 'REQUEST_INVALID'],
  ['{"cards":true,"after":{"a":"0"}}', 'REQUEST_INVALID'],
  ['not json', 'REQUEST_INVALID'],
])('[U2] a stream wanted with %s is refused', async (body, code) => {
  const headers = { 'Content-Type': 'application/json' };
  const answer = await fetch(`${server.url}/api/stream`, { method: 'POST', body, headers });
  expect([answer.status, await answer.json()]).toMatchObject([400, { error: { code } }]);
});

import { expect, test } from 'vitest';
import { eventResponse, eventText, type EventFeed } from './event-response.ts';

/** A feed of numbers that tells how often it was asked, and when it was closed. */
function countingFeed(last = Infinity): EventFeed & { asked: number; isClosed: boolean } {
  return {
    asked: 0,
    isClosed: false,
    async next() {
      this.asked += 1;
      return this.asked > last ? null : eventText('count', String(this.asked), this.asked);
    },
    close() {
      this.isClosed = true;
    },
  };
}

const readerOf = (response: Response): ReadableStreamDefaultReader<string> =>
  (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream()).getReader();

test('[U2] what is sent ends when the feed does', async () => {
  const feed = countingFeed(2);
  expect(await eventResponse(() => feed).text()).toBe(
    'retry: 1000\n\nid: 1\nevent: count\ndata: 1\n\nid: 2\nevent: count\ndata: 2\n\n',
  );
  expect(feed.isClosed).toBe(true);
});

test('[U2] [WL6] nothing is made before it is taken', async () => {
  const feed = countingFeed();
  const reader = (eventResponse(() => feed).body ?? new ReadableStream<Uint8Array>()).getReader();
  await reader.read();
  expect(feed.asked).toBe(0);
  await reader.read();
  await reader.read();
  expect(feed.asked).toBe(2);
  await reader.cancel();
  expect(feed.isClosed).toBe(true);
});

test('[U2] [WL6] a client that takes nothing for too long is let go', async () => {
  const feed = countingFeed();
  const { promise, resolve } = Promise.withResolvers<void>();
  const response = eventResponse(() => ({ next: () => feed.next(), close: resolve }), { patienceMs: 20 });
  const reader = (response.body ?? new ReadableStream<Uint8Array>()).getReader();
  await reader.read();
  await promise;
  await expect(reader.read()).rejects.toThrow('reads nothing');
});

test('[U2] [WL6] while there is nothing to tell, a comment keeps the connection alive, and nothing is lost by it', async () => {
  const { promise, resolve } = Promise.withResolvers<string | null>();
  const reader = readerOf(eventResponse(() => ({ next: () => promise, close: () => undefined }), { heartbeatMs: 5 }));
  expect((await reader.read()).value).toBe('retry: 1000\n\n');
  expect((await reader.read()).value).toBe(': still here\n\n');
  resolve(eventText('late', 'x'));
  let text = '';
  while (!text.includes('late')) text += (await reader.read()).value ?? '';
  expect(text).toContain('event: late\ndata: x\n\n');
  await reader.cancel();
});

test('[U2] [WL7] a feed is opened by who reads, so that an answer whose body is never read costs nothing', async () => {
  let opened = 0;
  const response = eventResponse(() => {
    opened += 1;
    return countingFeed();
  });
  expect(response.headers.get('content-type')).toContain('text/event-stream');
  expect(opened).toBe(0);
  await response.body?.cancel();
  expect(opened).toBe(0);
});

test('[U2] [WL7] a feed that fails is closed', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const feed = { next: () => Promise.reject(new Error('broken')), close: resolve };
  await expect(eventResponse(() => feed).text()).rejects.toThrow('broken');
  await promise;
});

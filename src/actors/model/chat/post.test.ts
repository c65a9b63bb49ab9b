import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { postJson } from './post.ts';

async function listening(listener: RequestListener): Promise<{ readonly url: string }> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
}

async function said(url: string, body: string): Promise<string> {
  const { signal } = new AbortController();
  return await text((await postJson(url, { headers: {}, body, signal })).body);
}

test('[L3] a request on a connection that the server just closed is sent once more', async () => {
  const got: string[] = [];
  const { url } = await listening((request, response) => {
    void text(request).then((body) => {
      got.push(body);
      // The second request meets a connection that is gone.
      if (body === 'lost' && got.filter((each) => each === 'lost').length === 1) request.socket.resetAndDestroy();
      else response.end(`heard ${body}`);
    });
  });
  expect(await said(url, 'first')).toBe('heard first');
  // The connection is idle by then.
  await nextTurn();
  expect(await said(url, 'lost')).toBe('heard lost');
  expect(got).toEqual(['first', 'lost', 'lost']);
});

test('[L3] a request on a new connection that breaks is not sent again', async () => {
  const got: string[] = [];
  const { url } = await listening((request) => {
    got.push('one');
    request.socket.resetAndDestroy();
  });
  await expect(said(url, 'first')).rejects.toMatchObject({ code: 'ECONNRESET' });
  expect(got).toEqual(['one']);
});

test('[L8] hundreds at once are all under way, though only some connect at a time', async () => {
  const waiting: (() => void)[] = [];
  const { url } = await listening((request, response) => {
    void text(request).then((body) => {
      waiting.push(() => response.end(body));
      if (waiting.length === 200) for (const answer of waiting) answer();
    });
  });
  const names = Array.from({ length: 200 }, (_, index) => `call ${index}`);
  expect(await Promise.all(names.map((name) => said(url, name)))).toEqual(names);
});

test('[A2] a request that is cancelled before its turn to connect ends at once', async () => {
  const { url } = await listening(() => undefined);
  const controller = new AbortController();
  const send = () => postJson(url, { headers: {}, body: '', signal: controller.signal });
  const all = Array.from({ length: 100 }, send).map((each) => each.catch((error: unknown) => error));
  controller.abort(new Error('enough'));
  const names = (await Promise.all(all)).map((error) => (error instanceof Error ? error.name : 'answered'));
  expect(new Set(names)).toEqual(new Set(['AbortError', 'Error']));
});

test('[U4] a header that cannot be sent does not use up a place', async () => {
  const { url } = await listening((_, response) => response.end('yes'));
  const { signal } = new AbortController();
  for (let tries = 0; tries < 100; tries += 1) {
    await expect(postJson(url, { headers: { 'x-bad': 'a\nb' }, body: '', signal })).rejects.toThrow(
      'Invalid character',
    );
  }
  expect(await said(url, '')).toBe('yes');
});

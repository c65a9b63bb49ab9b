import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createPost } from './post.ts';

async function listening(listener: RequestListener): Promise<{ readonly url: string }> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
}

const beforeSent = (): Promise<void> => Promise.resolve();
/** However busy the machine is. */
const postJson = createPost(Infinity);

async function said(url: string, body: string, { before = beforeSent, post = postJson } = {}): Promise<string> {
  const { signal } = new AbortController();
  const { read } = await post(url, { headers: {}, body, signal, beforeSent: before });
  const pieces: Uint8Array[] = [];
  await read((bytes) => pieces.push(bytes) > 0);
  return Buffer.concat(pieces).toString();
}

/** Answers, except requests that begin with `lost`, whose connection breaks the first times: as a server that had closed it. */
async function breaking(times: number) {
  const got: string[] = [];
  const { url } = await listening((request, response) => {
    void text(request).then((body) => {
      got.push(body);
      const isLost = body === 'lost' && got.filter((each) => each === body).length <= times;
      if (isLost) request.socket.resetAndDestroy();
      else response.end(`heard ${body}`);
    });
  });
  // Two connections that are idle then.
  await Promise.all([said(url, 'first'), said(url, 'first')]);
  await nextTurn();
  return { url, got };
}

test('[L3] a request on a connection that the server just closed is sent once more, on a new one', async () => {
  const { url, got } = await breaking(1);
  let sent = 0;
  const counted = (): Promise<void> => {
    sent += 1;
    return Promise.resolve();
  };
  expect(await said(url, 'lost', { before: counted })).toBe('heard lost');
  expect([got, sent]).toEqual([['first', 'first', 'lost', 'lost'], 2]);
});

test('[L3] what breaks again is a broken connection', async () => {
  const { url, got } = await breaking(2);
  await expect(said(url, 'lost')).rejects.toMatchObject({ code: 'ECONNRESET' });
  expect(got.length).toBe(4);
});

test('[L3] a request that the server may have worked on is not sent again', async () => {
  const { url, got } = await breaking(1);
  await expect(said(url, 'lost', { post: createPost(0) })).rejects.toMatchObject({ code: 'ECONNRESET' });
  expect(got).toEqual(['first', 'first', 'lost']);
});

test('[U4] a request says who it is from', async () => {
  const { url } = await listening((request, response) => response.end(request.headers['user-agent']));
  expect(await said(url, '')).toBe('troupe');
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

test('[L8] hundreds at once are all under way', async () => {
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
  const send = () => postJson(url, { headers: {}, body: '', signal: controller.signal, beforeSent });
  const all = Array.from({ length: 100 }, send).map((each) => each.catch((error: unknown) => error));
  const reason = new Error('enough');
  controller.abort(reason);
  expect(new Set(await Promise.all(all))).toEqual(new Set([reason]));
});

test('[U4] a header that cannot be sent does not use up a place', async () => {
  const { url } = await listening((_, response) => response.end('yes'));
  const { signal } = new AbortController();
  for (let tries = 0; tries < 100; tries += 1) {
    await expect(postJson(url, { headers: { 'x-bad': 'a\nb' }, body: '', signal, beforeSent })).rejects.toThrow(
      'Invalid character',
    );
  }
  expect(await said(url, '')).toBe('yes');
});

import { request } from 'node:http';
import { describe, expect, test } from 'vitest';
import { errorCode } from '../../lib/held-folder.ts';
import { COMPLETE, connect, handIn, testDesk, testOffice } from './testing/desk-bench.ts';

interface Sent {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** Keeps sending chunks until it gets an answer. */
  readonly isEndless?: boolean;
}

interface Got {
  readonly status: number;
  readonly text: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** Written by hand, since a proper client sends no such request. */
async function send(url: string, { method = 'POST', path, headers, body, isEndless = false }: Sent): Promise<Got> {
  const { promise, resolve, reject } = Promise.withResolvers<Got>();
  const { hostname, port, pathname } = new URL(url);
  const sending = request({ hostname, port, path: path ?? pathname, method, headers: { ...JSON_HEADERS, ...headers } });
  sending.on('error', reject);
  sending.on('response', (response) => {
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8');
      resolve({ status: response.statusCode ?? 0, text, headers: response.headers });
      sending.destroy();
    });
  });
  if (isEndless) pour(sending);
  else sending.end(body);
  return await promise;
}

/** The connection may be cut, which is fine too. */
function pour(sending: ReturnType<typeof request>): void {
  const piece = Buffer.alloc(64 * 1024, 0x20);
  const more = (): void => {
    if (!sending.destroyed) sending.write(piece, () => setImmediate(more));
  };
  more();
}

const JSON_HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

const rpc = (method: string, params: object, id: number | null = 1): string =>
  JSON.stringify({ jsonrpc: '2.0', ...(id === null ? {} : { id }), method, params });

const SIGNAL = rpc('tools/call', { name: 'signal_back', arguments: COMPLETE });

describe('[DK1] without the token of an open turn', () => {
  const TOKENS: Readonly<Record<string, Record<string, string>>> = {
    none: {},
    'an empty one': { authorization: 'Bearer ' },
    'a forged one': { authorization: `Bearer ${'A'.repeat(43)}` },
    'another scheme': { authorization: 'Basic dXNlcjpwYXNz' },
    'one with something behind it': { authorization: 'Bearer x y' },
  };
  test.each(Object.entries(TOKENS))('%s: 401, without a body, and nothing is accepted', async (_name, headers) => {
    const desk = await testDesk(await testOffice());
    const got = await send(desk.url, { headers, body: SIGNAL });
    expect([got.status, got.text, got.headers['www-authenticate']]).toEqual([401, '', undefined]);
    expect(desk.accepted).toEqual([]);
  });

  test('a used one is like one that never was', async () => {
    const office = await testOffice();
    const desk = await testDesk(office);
    await testDesk(office);
    await handIn(await connect(desk), COMPLETE);
    await desk.close();
    const [used, forged] = await Promise.all([
      send(desk.url, { headers: desk.headers, body: SIGNAL }),
      send(desk.url, { headers: { authorization: 'Bearer never' }, body: SIGNAL }),
    ]);
    expect([used.status, used.text]).toEqual([401, '']);
    expect(Object.keys(used.headers)).toEqual(Object.keys(forged.headers));
  });

  test('that of another step speaks for that step alone', async () => {
    const office = await testOffice();
    const [own, other] = [await testDesk(office), await testDesk(office)];
    await send(own.url, { headers: other.headers, body: SIGNAL });
    expect([own.accepted.length, other.accepted.length]).toEqual([0, 1]);
  });

  test('in the address it counts for nothing', async () => {
    const desk = await testDesk(await testOffice());
    const token = desk.headers['Authorization']?.replace('Bearer ', '') ?? '';
    const got = await send(desk.url, { path: `/mcp?token=${token}`, body: SIGNAL });
    expect(got.status).toBe(404);
  });
});

describe('pages in a browser', () => {
  test('a name that was made to point here is refused, also with the right token', async () => {
    const desk = await testDesk(await testOffice());
    for (const host of ['evil.example', 'evil.example:80', '127.0.0.1', '127.0.0.1:1', '[::1]']) {
      const { status, text } = await send(desk.url, { headers: { ...desk.headers, host }, body: SIGNAL });
      expect([host, status, text]).toEqual([host, 403, '']);
    }
    expect(desk.accepted).toEqual([]);
  });

  test('a page’s origin is refused, also one of this machine', async () => {
    const desk = await testDesk(await testOffice());
    for (const origin of ['https://evil.example', 'http://localhost:3000', 'null', 'file://']) {
      const { status } = await send(desk.url, { headers: { ...desk.headers, origin }, body: SIGNAL });
      expect([origin, status]).toEqual([origin, 403]);
    }
    const own = await send(desk.url, { headers: { ...desk.headers, origin: new URL(desk.url).origin }, body: SIGNAL });
    expect(own.status).toBe(200);
  });
});

describe('requests that are none', () => {
  test('other paths and other methods', async () => {
    const desk = await testDesk(await testOffice());
    expect((await send(desk.url, { path: '/', headers: desk.headers })).status).toBe(404);
    expect((await send(desk.url, { path: '/.well-known/oauth-protected-resource' })).status).toBe(404);
    for (const method of ['GET', 'DELETE', 'PUT', 'OPTIONS']) {
      const { status } = await send(desk.url, { method, headers: desk.headers });
      expect([method, status >= 400 && status < 500]).toEqual([method, true]);
    }
  });

  test('bodies that are no JSON, no message, or of another type', async () => {
    const desk = await testDesk(await testOffice());
    const bodies = ['', '{', 'null', '[]', '42', '{"jsonrpc":"2.0"}', '\u{0}'.repeat(100), '['.repeat(100_000)];
    for (const body of bodies) {
      const { status } = await send(desk.url, { headers: desk.headers, body });
      expect([body.slice(0, 20), status]).toEqual([body.slice(0, 20), 400]);
    }
    const text = await send(desk.url, { headers: { ...desk.headers, 'content-type': 'text/plain' }, body: SIGNAL });
    expect(text.status).toBe(415);
    expect(desk.accepted).toEqual([]);
    expect(await handIn(await connect(desk), COMPLETE)).toEqual({ text: 'Received.', isError: false });
  });

  test('one that says it is huge is refused before it is sent', async () => {
    const desk = await testDesk(await testOffice());
    const headers = { ...desk.headers, 'content-length': String(5 * 1024 * 1024) };
    expect((await send(desk.url, { headers, body: '{' })).status).toBe(413);
  });

  test('one that never ends is cut', async () => {
    const desk = await testDesk(await testOffice());
    // A client that is still sending when the connection closes may not read the answer.
    const end = await send(desk.url, { headers: desk.headers, isEndless: true }).then(
      ({ status }) => status,
      (error: unknown) => errorCode(error),
    );
    expect([413, 'ECONNRESET', 'EPIPE']).toContain(end);
    expect(await handIn(await connect(desk), COMPLETE)).toEqual({ text: 'Received.', isError: false });
  });

  test('arguments that are no object, or mean something to every object', async () => {
    const desk = await testDesk(await testOffice());
    for (const given of ['text', 42, [], null, { __proto__: { signal: 'complete' } }]) {
      const body = rpc('tools/call', { name: 'signal_back', arguments: given });
      await send(desk.url, { headers: desk.headers, body });
    }
    const body =
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"signal_back","arguments":{"__proto__":{"signal":"complete","stepId":"s1","summary":"x"}}}}';
    const got = await send(desk.url, { headers: desk.headers, body });
    expect(got.text).toContain('"isError":true');
    expect(desk.accepted).toEqual([]);
  });

  test('a batch of two signals: one is accepted, the other refused', async () => {
    const desk = await testDesk(await testOffice());
    const two = [1, 2].map((id) =>
      rpc('tools/call', { name: 'signal_back', arguments: { ...COMPLETE, summary: `${id}` } }, id),
    );
    const { text } = await send(desk.url, { headers: desk.headers, body: `[${two.join()}]` });
    expect(desk.accepted).toMatchObject([{ arguments: { summary: '1' } }]);
    expect(text).toMatch(/"Received\."[^]*This step is over/);
  });
});

describe('by hand, as an older client', () => {
  test('[Q2] initialize, initialized, list, call: no session is needed', async () => {
    const desk = await testDesk(await testOffice());
    const headers = { ...desk.headers, 'mcp-protocol-version': '2025-06-18' };
    const clientInfo = { name: 'codex', version: '1' };
    const hello = rpc('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
    const first = await send(desk.url, { headers: desk.headers, body: hello });
    expect(first.text).toContain('"protocolVersion":"2025-06-18"');
    expect(first.headers['mcp-session-id']).toBeUndefined();
    expect((await send(desk.url, { headers, body: rpc('notifications/initialized', {}, null) })).status).toBe(202);
    expect((await send(desk.url, { headers, body: rpc('tools/list', {}) })).text).toContain('"signal_back"');
    expect((await send(desk.url, { headers, body: SIGNAL })).text).toContain('"Received."');
    expect(desk.accepted).toHaveLength(1);
  });
});

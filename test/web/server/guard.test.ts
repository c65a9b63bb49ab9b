import { connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { createSandbox } from '../../cli/sandbox.ts';
import { serve, type Served } from './served.ts';

test('[U2] without the token, or with a wrong one, nothing of the API answers; the page itself may be loaded', async () => {
  const page = await serve(createSandbox());
  const wrong = [
    {},
    { authorization: 'Bearer wrong' },
    { authorization: `Bearer ${page.token}x` },
    { authorization: `Basic ${page.token}` },
    { authorization: 'Bearer ' },
    { cookie: `troupe_${page.port}=${page.token}` },
    { cookie: `troupe_${page.port}=` },
  ];
  for (const headers of wrong) {
    for (const path of ['/api/about', '/api/nothing', '/api', '/api/runs/x', '/api/openapi.json']) {
      const answer = await page.ask(path, { headers: { ...headers } });
      expect([path, answer.status, answer.body.error?.code]).toEqual([path, 401, 'TOKEN_NEEDED']);
    }
  }
  expect((await page.get('/api/about')).status).toBe(200);
  expect((await page.get('/api')).status).toBe(404);
  expect([200, 503]).toContain((await page.ask('/')).status);
});

test('[U2] a token in the query or the path is no token', async () => {
  const page = await serve(createSandbox());
  expect((await page.ask(`/api/about?t=${page.token}`)).status).toBe(401);
  expect((await page.ask(`/api/about?token=${page.token}`)).status).toBe(401);
});

test('[U2] a foreign Host is refused whatever else is right, so that no name on the internet can lead here', async () => {
  const page = await serve(createSandbox());
  const authorization = `Bearer ${page.token}`;
  const foreign = [
    'example.com',
    `example.com:${page.port}`,
    '127.0.0.1',
    `127.0.0.1:${page.port + 1}`,
    `127.0.0.1.example.com:${page.port}`,
    `localhost.:${page.port}`,
    `[::1]:${page.port}`,
    `0.0.0.0:${page.port}`,
  ];
  for (const host of foreign) {
    for (const path of ['/api/about', '/']) {
      const answer = await page.ask(path, { headers: { host, authorization } });
      expect([host, answer.status, answer.body.error?.code]).toEqual([host, 403, 'HOST_FOREIGN']);
    }
  }
  for (const host of [`127.0.0.1:${page.port}`, `localhost:${page.port}`]) {
    expect((await page.ask('/api/about', { headers: { host, authorization } })).status).toBe(200);
  }
});

test('[U2] pages of other origins are refused, also with the token, and no header ever invites them', async () => {
  const page = await serve(createSandbox());
  const authorization = `Bearer ${page.token}`;
  const foreign = [
    'https://example.com',
    'null',
    `http://127.0.0.1:${page.port + 1}`,
    `https://127.0.0.1:${page.port}`,
  ];
  for (const origin of foreign) {
    const answer = await page.ask('/api/about', { headers: { origin, authorization } });
    expect([origin, answer.status, answer.body.error?.code]).toEqual([origin, 403, 'ORIGIN_FOREIGN']);
  }
  const own = `http://127.0.0.1:${page.port}`;
  const answer = await page.ask('/api/about', { headers: { origin: own, authorization } });
  expect(answer.status).toBe(200);
  const preflight = await page.ask('/api/runs', {
    method: 'OPTIONS',
    headers: { origin: 'https://example.com', 'access-control-request-method': 'POST' },
  });
  expect(preflight.status).toBe(403);
  const all = [answer, preflight, await page.ask('/')].flatMap(({ headers }) => Object.keys(headers));
  expect(all.filter((name) => name.startsWith('access-control'))).toEqual([]);
});

test('[U2] the token is changed for a cookie that scripts cannot read, that goes to the API alone, and is not the token', async () => {
  const page = await serve(createSandbox());
  const session = await page.post('/api/session');
  const cookie = session.headers['set-cookie']?.[0] ?? '';
  const [pair = '', ...attributes] = cookie.split('; ');
  expect(pair).toMatch(new RegExp(`^troupe_${page.port}=[\\w-]{43}$`));
  expect(pair).not.toContain(page.token);
  expect(attributes.toSorted()).toEqual(['HttpOnly', 'Path=/api', 'SameSite=Strict']);
  expect((await page.ask('/api/about', { headers: { cookie: `a=b; ${pair}; c=d` } })).status).toBe(200);
  expect((await page.ask('/api/about', { headers: { authorization: `Bearer ${pair.split('=')[1]}` } })).status).toBe(
    401,
  );
  expect((await page.ask('/api/session', { method: 'POST' })).headers['set-cookie']).toBeUndefined();
});

test('[U2] with a cookie, what changes something must come from our own page; other ports of this machine are other pages', async () => {
  const page = await serve(createSandbox());
  const cookie = (await page.post('/api/session')).headers['set-cookie']?.[0]?.split(';')[0] ?? '';
  const origin = `http://127.0.0.1:${page.port}`;
  const post = (headers: Record<string, string>) =>
    page.ask('/api/runs/none/cancel', {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/json', ...headers },
      body: '{}',
    });
  expect((await post({})).body.error?.code).toBe('ORIGIN_NEEDED');
  expect((await post({ 'sec-fetch-site': 'same-site' })).body.error?.code).toBe('ORIGIN_FOREIGN');
  expect((await post({ 'sec-fetch-site': 'cross-site', origin })).body.error?.code).toBe('ORIGIN_FOREIGN');
  expect((await post({ origin })).body.error?.code).toBe('RUN_UNKNOWN');
  expect((await post({ 'sec-fetch-site': 'same-origin' })).body.error?.code).toBe('RUN_UNKNOWN');
  const looked = await page.ask('/api/about', { headers: { cookie, 'sec-fetch-site': 'same-site' } });
  expect(looked.status).toBe(403);
});

test('[U2] every answer forbids what the page does not need, also those that refuse', async () => {
  const page = await serve(createSandbox());
  const answers = [
    await page.ask('/'),
    await page.ask('/api/about'),
    await page.get('/api/about'),
    await page.get('/api/runs/none'),
    await page.ask('/', { headers: { host: 'example.com' } }),
  ];
  for (const { headers } of answers) {
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'; script-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/script-src[^;]*unsafe|https?:|\*/);
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    });
    expect(headers['x-powered-by']).toBeUndefined();
  }
});

test('[U2] a huge body without the token is refused before it is read', async () => {
  const page = await serve(createSandbox());
  for (const length of ['Content-Length: 10000000000', 'Transfer-Encoding: chunked']) {
    const { text, sent } = await flood(
      page,
      `POST /api/runs HTTP/1.1\r\nHost: 127.0.0.1:${page.port}\r\n${length}\r\n\r\n`,
    );
    expect(text).toMatch(/^HTTP\/1\.1 401 /);
    // The client is given a moment to hear the answer before it is cut off; nothing of it is kept.
    expect(sent).toBeLessThan(512 * 1024 * 1024);
  }
  expect((await page.get('/api/about')).status).toBe(200);
});

test('[U2] with the token a body may have a megabyte, whether or not it says its length', async () => {
  const page = await serve(createSandbox());
  const large = await page.post('/api/runs', { workflow: 'x', input: { task: 'x'.repeat(1024 * 1024) } });
  expect([large.status, large.body.error?.code]).toEqual([413, 'BODY_TOO_LARGE']);
  const head = [
    'POST /api/runs HTTP/1.1',
    `Host: 127.0.0.1:${page.port}`,
    `Authorization: Bearer ${page.token}`,
    'Content-Type: application/json',
    'Transfer-Encoding: chunked',
  ].join('\r\n');
  expect((await flood(page, `${head}\r\n\r\n`)).text).toMatch(/^HTTP\/1\.1 413 /);
  expect((await page.get('/api/about')).status).toBe(200);
});

test('[U2] a body that is not JSON, or not what is wanted, is refused with all that is wrong with it', async () => {
  const page = await serve(createSandbox());
  const authorization = `Bearer ${page.token}`;
  const form = await page.ask('/api/runs', {
    method: 'POST',
    headers: { authorization, 'content-type': 'text/plain' },
    body: '{"workflow":"x"}',
  });
  expect([form.status, form.body.error?.code]).toEqual([415, 'BODY_NOT_JSON']);
  const broken = await page.ask('/api/runs', {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: '{"workflow":',
  });
  expect([broken.status, broken.body.error?.code]).toEqual([400, 'REQUEST_INVALID']);
  const odd = await page.post('/api/runs', { input: 3, extra: true });
  expect(odd.status).toBe(400);
  expect(JSON.stringify(odd.body.error?.problems)).toMatch(/workflow.*input.*extra/);
  const list = await page.post('/api/runs', []);
  expect(list.body.error?.code).toBe('REQUEST_INVALID');
});

test('[U2] paths that try to lead out of the page lead nowhere', async () => {
  const page = await serve(createSandbox());
  const tried = [
    '/../../package.json',
    '/..%2f..%2fpackage.json',
    '/%2e%2e/%2e%2e/package.json',
    '/assets/../../main.js',
    '//etc/passwd',
    '/%00',
  ];
  for (const path of tried) {
    const { text } = await page.ask(path);
    expect([path, /"dependencies"|root:|process\.argv/.test(text)]).toEqual([path, false]);
  }
});

interface Flood {
  readonly text: string;
  readonly sent: number;
}

/** Sends without end until the server has had enough. */
async function flood({ port }: Served, head: string): Promise<Flood> {
  const socket = connect(port, '127.0.0.1');
  const { promise, resolve } = Promise.withResolvers<void>();
  let text = '';
  socket.on('data', (piece: Buffer) => (text += piece.toString('latin1')));
  socket.on('error', () => resolve());
  socket.on('close', () => resolve());
  socket.write(head);
  pour(socket, head.includes('chunked') ? chunk(65_536) : Buffer.alloc(65_536, 'x'));
  await promise;
  return { text, sent: socket.bytesWritten };
}

function pour(socket: Socket, piece: Buffer): void {
  const more = (): void => {
    if (socket.destroyed || !socket.writable) return;
    socket.write(piece, () => setImmediate(more));
  };
  more();
}

const chunk = (size: number): Buffer => Buffer.from(`${size.toString(16)}\r\n${'x'.repeat(size)}\r\n`);

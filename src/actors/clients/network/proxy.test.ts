import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createProxy } from './proxy.ts';

async function listening(server: ReturnType<typeof createServer>): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** Tells what it was asked. */
const site = (): Promise<number> =>
  listening(
    createServer((incoming, outgoing) => {
      incoming.setEncoding('utf8');
      let body = '';
      incoming.on('data', (part: string) => (body += part));
      const { method, url, headers } = incoming;
      incoming.on('end', () => {
        outgoing.setHeader('x-site', 'yes');
        outgoing.end(JSON.stringify({ method, url, headers, body }));
      });
    }),
  );

async function say(port: number, words: string): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  let heard = '';
  socket.on('data', (data: Buffer) => (heard += data.toString()));
  socket.write(words);
  await once(socket, 'end');
  socket.destroy();
  return heard;
}

const GET = 'GET /there HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';

test('[L8] a tunnel leads to what is named, whatever goes through it', async () => {
  const there = await site();
  const proxy = await listening(createProxy([`127.0.0.1:${there}`]));
  const heard = await say(proxy, `CONNECT 127.0.0.1:${there} HTTP/1.1\r\nHost: y\r\n\r\n${GET}`);
  expect(heard).toMatch(/^HTTP\/1.1 200 Connection Established\r\n\r\nHTTP\/1.1 200 OK[^]*"url":"\/there"/);
});

test.each([
  ['another port', (there: number) => `127.0.0.1:${there === 1 ? 2 : 1}`],
  ['another name for it', (there: number) => `localhost:${there}`],
  ['a name around it', (there: number) => `127.0.0.1:${there}@evil.example:443`],
  ['a path', (there: number) => `127.0.0.1:${there}/x:1`],
  ['no port', () => '127.0.0.1'],
])('[L8] a tunnel to %s is refused with a reason', async (_, authority) => {
  const there = await site();
  const proxy = await listening(createProxy([`127.0.0.1:${there}`]));
  const heard = await say(proxy, `CONNECT ${authority(there)} HTTP/1.1\r\nHost: y\r\n\r\n${GET}`);
  expect(heard).toMatch(/^HTTP\/1.1 403 Forbidden\r\n[^]*cannot be reached from here/);
});

test('a target without a listener is reported as such', async () => {
  const proxy = await listening(createProxy(['127.0.0.1:1']));
  expect(await say(proxy, 'CONNECT 127.0.0.1:1 HTTP/1.1\r\nHost: y\r\n\r\n')).toMatch(/^HTTP\/1.1 502/);
});

test('[L8] a request without TLS goes to the host of its address, not to the one it claims', async () => {
  const there = await site();
  const proxy = await listening(createProxy([`127.0.0.1:${there}`]));
  const headers = { host: 'inner.example', 'proxy-authorization': 'secret', 'x-own': '1' };
  const path = `http://127.0.0.1:${there}/v1?q=1`;
  const asked = request({ host: '127.0.0.1', port: proxy, method: 'POST', path, headers });
  asked.end('words');
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  const parts: Buffer[] = [];
  response.on('data', (part: Buffer) => parts.push(part));
  await once(response, 'end');
  expect(response.headers['x-site']).toBe('yes');
  const received = JSON.parse(Buffer.concat(parts).toString()) as { headers: Record<string, string> };
  expect(received).toMatchObject({ method: 'POST', url: '/v1?q=1', body: 'words', headers: { 'x-own': '1' } });
  expect(received.headers['host']).toBe(`127.0.0.1:${there}`);
  expect(received.headers['proxy-authorization']).toBeUndefined();
});

test.each(['http://127.0.0.1:1/', 'https://127.0.0.1/', '/', 'file:///etc/passwd'])(
  '[L8] a request for %s is refused',
  async (address) => {
    const proxy = await listening(createProxy([`127.0.0.1:${await site()}`]));
    const heard = await say(proxy, `GET ${address} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect(heard).toMatch(/^HTTP\/1.1 403 Forbidden/);
  },
);

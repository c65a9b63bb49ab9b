import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { Hono } from 'hono';
import { afterEach, expect, test } from 'vitest';
import { guard } from '../../src/server/http/guard.ts';
import { OwnerDoor } from '../../src/server/http/owner-door.ts';
import { startServer, type RunningServer } from '../../src/server/http/start-server.ts';

const TOKEN = 'a-token-for-this-test';
const authorization = `Bearer ${TOKEN}`;
let server: RunningServer | null = null;
const sockets: Socket[] = [];
const agent = new Agent({ keepAlive: true });

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  agent.destroy();
  await server?.close();
});

async function serve(): Promise<number> {
  const app = (port: number): Hono => {
    const routes = new Hono();
    routes.onError((_error, context) => context.text('refused', 401));
    routes.use(guard(new OwnerDoor({ token: TOKEN, port })));
    routes.get('/api/here', (context) => context.text('here'));
    // Ends with its connection only.
    routes.get('/api/stream', (context) => context.body(new ReadableStream({ start: (out) => out.enqueue('hello') })));
    return routes;
  };
  server = await startServer({ port: 0, app });
  return server.port;
}

async function open(port: number, text = ''): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  sockets.push(socket);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  if (text !== '') socket.write(text);
  return socket;
}

async function ask(port: number, headers: Readonly<Record<string, string>>): Promise<number | undefined> {
  const sent = request({ host: '127.0.0.1', port, path: '/api/here', headers, agent });
  sent.end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.resume();
  await once(response, 'end');
  return response.statusCode;
}

test('[H77] 300 silent connections without a token shut no one out, and streams go on', async () => {
  const port = await serve();
  expect(await ask(port, { authorization })).toBe(200);
  const stream = await open(
    port,
    `GET /api/stream HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: ${authorization}\r\n\r\n`,
  );
  await once(stream, 'data');
  const silent = await Promise.all(Array.from({ length: 300 }, () => open(port)));
  // Over the connection it had before, and over new ones.
  expect(await ask(port, { authorization })).toBe(200);
  for (let round = 0; round < 5; round += 1) {
    expect(await ask(port, { authorization, connection: 'close' })).toBe(200);
  }
  expect(stream.destroyed).toBe(false);
  const isClosed = silent.map(async (socket) => socket.destroyed || (await once(socket, 'close')));
  // The oldest are closed at once, not when their time to send headers is over.
  await Promise.all(isClosed.slice(0, 300 - 128));
});

test('[H77] 300 connections that send requests without a token shut no one out', async () => {
  const port = await serve();
  const bare = `GET /api/here HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`;
  await Promise.all(Array.from({ length: 300 }, () => open(port, bare)));
  expect(await ask(port, { authorization, connection: 'close' })).toBe(200);
  expect(await ask(port, {})).toBe(401);
});

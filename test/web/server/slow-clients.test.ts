import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { HttpBindings } from '@hono/node-server';
import { Hono, type Context } from 'hono';
import { afterEach, expect, test } from 'vitest';
import { startServer, type RunningServer } from '../../../src/server/http/start-server.ts';
import { askServer } from './served.ts';

let server: RunningServer | null = null;

afterEach(async () => {
  await server?.close();
  server = null;
});

const started = async (): Promise<RunningServer> => {
  const app = new Hono();
  app.onError((_error, context) => context.text('no', 400));
  app.get('/', (context) => context.text('here'));
  app.post('/', async (context) => context.text(`${(await context.req.text()).length}`));
  server = await startServer({
    port: 0,
    app: () => app,
    patience: { headersMs: 2000, requestMs: 3000, checkMs: 50, takeMs: 2000 },
  });
  return server;
};

/** Says something, then a byte now and then for as long as it is listened to. */
function dribble(port: number, first: string): { readonly socket: Socket; readonly heard: Promise<string> } {
  const socket = connect(port, '127.0.0.1');
  const { promise, resolve } = Promise.withResolvers<string>();
  let text = '';
  socket.write(first);
  const timer = setInterval(() => socket.write('x'), 20);
  socket.on('data', (piece: Buffer) => (text += piece.toString('latin1')));
  socket.on('error', () => undefined);
  socket.on('close', () => {
    clearInterval(timer);
    resolve(text);
  });
  return { socket, heard: promise };
}

test('[U2] who says what they want byte by byte is cut off, while others are served', async () => {
  const { port } = await started();
  const slow = Array.from({ length: 40 }, () => dribble(port, 'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: '));
  expect((await askServer(port, '/', {})).text).toBe('here');
  for (const text of await Promise.all(slow.map(({ heard }) => heard))) expect(text).toMatch(/^HTTP\/1\.1 408 /);
});

test('[U2] who sends a body byte by byte is cut off too', async () => {
  const { port } = await started();
  const slow = dribble(port, 'POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100000\r\n\r\n');
  expect(await slow.heard).not.toMatch(/ 200 /);
  expect((await askServer(port, '/', {})).text).toBe('here');
});

test('[U2] what is no HTTP, and headers without end, are refused', async () => {
  const { port } = await started();
  const talk = (text: string): Promise<string> => {
    const socket = connect(port, '127.0.0.1');
    const { promise, resolve } = Promise.withResolvers<string>();
    let heard = '';
    socket.on('data', (piece: Buffer) => (heard += piece.toString('latin1')));
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(heard));
    socket.end(text);
    return promise;
  };
  expect(await talk('\u0016\u0003\u0001\u0002\u0000 hello\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /);
  expect(await talk(`GET / HTTP/1.1\r\nX: ${'y'.repeat(32_000)}\r\n\r\n`)).toMatch(/^HTTP\/1\.1 431 /);
  expect((await askServer(port, '/', {})).text).toBe('here');
});

/** Sends a request, and reads nothing of the answer until the test says so. */
function asking(port: number, path: string): { readonly takeAll: () => Promise<number> } {
  const socket = connect(port, '127.0.0.1');
  socket.pause();
  socket.on('error', () => undefined);
  socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
  return {
    takeAll: () => {
      const { promise, resolve } = Promise.withResolvers<number>();
      let bytes = 0;
      socket.on('data', (piece: Buffer) => (bytes += piece.length));
      socket.on('close', () => resolve(bytes));
      socket.resume();
      return promise;
    },
  };
}

const outgoingOf = (context: Context): HttpBindings['outgoing'] => (context.env as HttpBindings).outgoing;

const MEGABYTE = new Uint8Array(1024 * 1024).fill(120);
const WHOLE = 64 * MEGABYTE.length;

test('[W6] [WL6] who asks for much and takes nothing of it is dropped: its connection is free and what was made for it ends', async () => {
  const app = new Hono();
  const gone = [Promise.withResolvers<void>(), Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
  app.get('/stream', (context) => {
    outgoingOf(context).once('close', () => gone[0].resolve());
    return context.body(
      new ReadableStream({
        pull: (controller) => controller.enqueue(MEGABYTE),
        cancel: () => gone[1].resolve(),
      }),
    );
  });
  app.get('/large', (context) => {
    outgoingOf(context).once('close', () => gone[2].resolve());
    return context.body(new Uint8Array(WHOLE));
  });
  const patience = { headersMs: 5000, requestMs: 5000, checkMs: 50, takeMs: 200 };
  server = await startServer({ port: 0, app: () => app, patience });
  const [stream, large] = [asking(server.port, '/stream'), asking(server.port, '/large')];
  await Promise.all(gone.map(({ promise }) => promise));
  await stream.takeAll();
  expect(await large.takeAll()).toBeLessThan(WHOLE);
});

test('[W6] what takes long to be made is waited for, however long it takes', async () => {
  const app = new Hono();
  app.get('/', async (context) => {
    for (let passed = 0; passed < 3; passed += 1) await once(outgoingOf(context), 'timeout');
    return context.text('at last');
  });
  const patience = { headersMs: 5000, requestMs: 5000, checkMs: 50, takeMs: 50 };
  server = await startServer({ port: 0, app: () => app, patience });
  expect((await askServer(server.port, '/', {})).text).toBe('at last');
});

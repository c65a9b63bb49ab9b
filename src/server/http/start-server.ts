import { createAdaptorServer, type HttpBindings } from '@hono/node-server';
import type { Hono } from 'hono';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { Fault } from '../../core/model/fault.ts';
import { errorCode } from '../../lib/held-folder.ts';
import { ConnectionPlaces } from './connection-places.ts';

export const LOOPBACK = '127.0.0.1';

export interface ServerOptions {
  /** 0 takes a free one. */
  readonly port: number;
  /** Where it listens; loopback unless it is said. */
  readonly host?: string;
  /** Certificate and key, as PEM, for a server that speaks TLS itself. */
  readonly tls?: { readonly cert: Buffer; readonly key: Buffer } | undefined;
  /** Made once the port is known, since a guard must know it. */
  readonly app: (port: number) => Hono;
  readonly patience?: Patience;
}

/** How long a client may take to say what it wants, and to take it. Somebody who does neither must not hold a place for ever. */
export interface Patience {
  readonly headersMs: number;
  readonly requestMs: number;
  readonly checkMs: number;
  /** Without taking a byte of what waits for it. */
  readonly takeMs: number;
}

/** Node looks twice before it calls a connection idle into which something was just written: what is stuck is dropped within a minute. */
const PATIENCE: Patience = { headersMs: 5000, requestMs: 30_000, checkMs: 2000, takeMs: 30_000 };

/** The connection of a request, as the app sees it. */
export interface ConnectionBindings extends HttpBindings {
  /** To be called once the request has shown the token. */
  readonly trustConnection: () => void;
}

export interface RunningServer {
  readonly port: number;
  close(): Promise<void>;
}

/** Listens on loopback unless another address is given. PORT_IN_USE, PORT_REFUSED, ADDRESS_UNUSABLE, TLS_UNUSABLE. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { port, app, tls, host = LOOPBACK, patience = PATIENCE } = options;
  let handler: Hono | null = null;
  const places = new ConnectionPlaces();
  const server = createAdaptorServer({
    fetch: (request, env) =>
      handler?.fetch(request, trusting(env as HttpBindings, places)) ?? new Response(null, { status: 503 }),
    hostname: host,
    // This process may drive runs, whose models use the global ones.
    overrideGlobalObjects: false,
    createServer: tls === undefined ? createServer : createSecureServer,
    serverOptions: {
      ...tls,
      handshakeTimeout: patience.headersMs,
      headersTimeout: patience.headersMs,
      requestTimeout: patience.requestMs,
      connectionsCheckingInterval: patience.checkMs,
      maxHeaderSize: 16_384,
    },
  }) as Server;
  places.watch(server);
  server.prependListener('request', (_, answer) => dropStuck(answer, patience.takeMs));
  const taken = await listening(server, port, host);
  handler = app(taken);
  return { port: taken, close: () => closed(server) };
}

function trusting(env: HttpBindings, places: ConnectionPlaces): ConnectionBindings {
  return { ...env, trustConnection: () => places.trust(env.incoming.socket) };
}

/** Drops a client that does not read a ready answer; a slow answer is waited for. */
function dropStuck(answer: ServerResponse, takeMs: number): void {
  const { socket } = answer;
  answer.setTimeout(takeMs, () => {
    if (socket === null || socket.writableLength > 0) socket?.destroy();
    else socket.setTimeout(takeMs);
  });
}

async function listening(server: Server, port: number, host: string): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen(port, host, resolve);
  try {
    await promise;
  } catch (error) {
    throw LISTEN_FAULTS[errorCode(error)]?.(port, host) ?? error;
  }
  server.off('error', reject);
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : port;
}

/** Answers that are ready may still leave. Streams never end by themselves. */
async function closed(server: Server): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.close(() => resolve());
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), LEAVE_MS);
  await promise;
  clearTimeout(timer);
}

const LEAVE_MS = 100;

const LISTEN_FAULTS: Readonly<Record<string, (port: number, host: string) => Fault>> = {
  EADDRINUSE: (port) => portInUse(port),
  EACCES: (port) => portRefused(port),
  EADDRNOTAVAIL: (_port, host) => addressUnusable(host),
  ENOTFOUND: (_port, host) => addressUnusable(host),
};

const addressUnusable = (host: string): Fault =>
  new Fault('ADDRESS_UNUSABLE', `This machine has no address ${host}.`, {
    hint: 'Listen on one that it has, or on all of them: --listen 0.0.0.0:PORT',
  });

const portInUse = (port: number): Fault =>
  new Fault('PORT_IN_USE', `Port ${port} is taken, maybe by another \`troupe serve\`.`, {
    hint: 'Use the page that is open already, take another port, or leave --port out: then a free one is found and printed.',
  });

const portRefused = (port: number): Fault =>
  new Fault('PORT_REFUSED', `This user may not listen on port ${port}.`, { hint: 'Take one above 1023.' });

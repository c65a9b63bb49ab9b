import {
  Agent,
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as requestPlain,
  type RequestOptions,
} from 'node:http';
import { Agent as SecureAgent, request as requestSecure } from 'node:https';
import type { Socket } from 'node:net';
import { urlToHttpOptions } from 'node:url';
import { Turnstile } from '../../../lib/in-turn.ts';

export interface PostRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
  /** Called each time before it is sent; rejects where it must not be. */
  readonly beforeSent: () => Promise<void>;
}

export interface Incoming {
  readonly status: number;
  readonly statusText: string;
  readonly headers: IncomingHttpHeaders;
  /** Reads to the end of the body, or until `take` returns false, which breaks the connection. Once. */
  readonly read: (take: (bytes: Uint8Array) => boolean) => Promise<void>;
  /** Breaks the connection. */
  readonly drop: () => void;
}

/** Sends a body and resolves with the head of the response. No redirect is followed. */
export type Post = (url: string, outgoing: PostRequest) => Promise<Incoming>;

/** The same over a given `fetch`. */
export const postOver =
  (fetch: typeof globalThis.fetch): Post =>
  async (url, { headers, body, signal, beforeSent }) => {
    await beforeSent();
    const response = await fetch(url, { method: 'POST', redirect: 'manual', headers, body, signal });
    return {
      status: response.status,
      statusText: response.statusText,
      headers: Object.fromEntries(response.headers),
      read: readerOf(response.body ?? []),
      drop: () => undefined,
    };
  };

export const readerOf =
  (body: AsyncIterable<Uint8Array> | readonly Uint8Array[]): Incoming['read'] =>
  async (take) => {
    for await (const bytes of body) if (!take(bytes)) return;
  };

const settings = {
  keepAlive: true,
  // As many as were in use at once: a connection that is closed has to be made again for the next wave of calls.
  maxFreeSockets: Infinity,
  // Idle connections: older ones may be gone without a word, as after a laptop has slept.
  timeout: 15_000,
  // As `fetch` does with the same setting.
  ...(process.env['NODE_USE_ENV_PROXY'] === '1' ? { proxyEnv: process.env } : {}),
};
const once = { ...settings, keepAlive: false };
const SCHEMES = {
  'http:': { agent: new Agent(settings), fresh: new Agent(once), request: requestPlain, connected: 'connect' },
  'https:': {
    agent: new SecureAgent(settings),
    fresh: new SecureAgent(once),
    request: requestSecure,
    connected: 'secureConnect',
  },
} as const;

/** How many connections to one server may begin at once: a thousand at the same moment hold everything else up. */
const CONNECTS = 64;
const CONNECT_MS = 10_000;

/** All that the requests to one address have in common. */
interface Target {
  readonly scheme: (typeof SCHEMES)[keyof typeof SCHEMES];
  readonly options: RequestOptions;
  /** How the agent's names of connections to this server begin. */
  readonly server: string;
  readonly connects: Turnstile;
}

const targets = new Map<string, Target>();
const connects = new Map<string, Turnstile>();

function targetOf(url: string): Target {
  const known = targets.get(url);
  if (known !== undefined) return known;
  const parsed = new URL(url);
  const { origin, hostname, port, protocol } = parsed;
  const host = hostname.replace(/^\[|\]$/g, '');
  const turnstile = connects.get(origin) ?? new Turnstile(CONNECTS);
  connects.set(origin, turnstile);
  const target = {
    scheme: SCHEMES[protocol as keyof typeof SCHEMES],
    options: { ...urlToHttpOptions(parsed), method: 'POST' },
    server: `${host}:${port || (protocol === 'https:' ? 443 : 80)}:`,
    connects: turnstile,
  };
  targets.set(url, target);
  return target;
}

/** A connection that the server had closed before breaks at once. A request that breaks later may have been worked on. */
const STALE_MS = 1000;

/**
 * Over `node:http`, which takes a quarter of the processor time of `fetch` and the SDK with hundreds of calls at once. A server may
 * close an idle connection just when it is reused: such a request is sent again, on a new connection.
 */
export const createPost =
  (staleMs = STALE_MS): Post =>
  async (url, outgoing) => {
    const { scheme, options, server, connects } = targetOf(url);
    const { agent, fresh, request, connected } = scheme;
    const leave = hasIdle(agent, server) ? ignore : await connects.enter(outgoing.signal);
    const send = async (over: Agent): Promise<Incoming> => {
      await outgoing.beforeSent();
      outgoing.signal.throwIfAborted();
      const sent = request({ ...options, headers: headersOf(outgoing), agent: over });
      sent.once('socket', (socket) => whenConnected(sent, { socket, connected, leave }));
      const sentAt = performance.now();
      return await responseTo(sent, outgoing).catch((error: unknown) => {
        const isStale = sent.reusedSocket && isBroken(error) && performance.now() - sentAt < staleMs;
        if (isStale) return send(fresh);
        throw error;
      });
    };
    try {
      return await send(agent);
    } finally {
      leave();
    }
  };

const ignore = (): void => undefined;

const headersOf = ({ headers, body }: PostRequest) => ({
  'user-agent': 'troupe',
  ...headers,
  'content-length': Buffer.byteLength(body),
});

/** Whether a connection is open and unused. */
function hasIdle({ freeSockets }: Agent, server: string): boolean {
  for (const name in freeSockets) if (name.startsWith(server)) return true;
  return false;
}

interface Connecting {
  readonly socket: Socket;
  readonly connected: string;
  readonly leave: () => void;
}

/** Returns the place in the turnstile once connected, and gives it up on failure. */
function whenConnected(sent: ClientRequest, { socket, connected, leave }: Connecting): void {
  if (!socket.connecting) return leave();
  const alarm = setTimeout(() => sent.destroy(noConnection()), CONNECT_MS);
  const settle = (): void => {
    clearTimeout(alarm);
    leave();
  };
  socket.once(connected, settle);
  socket.once('close', settle);
}

const noConnection = (): Error =>
  Object.assign(new Error(`No connection within ${CONNECT_MS} ms.`), { code: 'ETIMEDOUT' });

async function responseTo(sent: ClientRequest, { body, signal }: PostRequest): Promise<Incoming> {
  const stop = (): void => void sent.destroy(signal.reason as Error);
  signal.addEventListener('abort', stop);
  sent.once('close', () => signal.removeEventListener('abort', stop));
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    sent.once('response', resolve);
    sent.on('error', reject);
    sent.end(body);
  });
  return {
    status: response.statusCode ?? 0,
    statusText: response.statusMessage ?? '',
    headers: response.headers,
    read: (take) => readAll(response, take),
    drop: () => response.destroy(),
  };
}

/** By events: reading a response as a stream of Node's costs more than all that is done with what it says. */
const readAll = (response: IncomingMessage, take: (bytes: Uint8Array) => boolean): Promise<void> =>
  new Promise((resolve, reject) => {
    response.on('data', (bytes: Buffer) => {
      try {
        if (take(bytes)) return;
        resolve();
      } catch (error) {
        reject(error);
      }
      response.destroy();
    });
    response.once('end', resolve);
    response.once('error', reject);
    response.once('close', () => reject(new Error('The response broke off.')));
  });

const isBroken = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE');

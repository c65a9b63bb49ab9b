import { Agent, type ClientRequest, type IncomingMessage, request as requestPlain } from 'node:http';
import { Agent as SecureAgent, request as requestSecure } from 'node:https';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
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
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AsyncIterable<Uint8Array>;
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
      body: response.body ?? Readable.from([]),
      drop: () => undefined,
    };
  };

const settings = {
  keepAlive: true,
  maxFreeSockets: 1024,
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
const connects = new Map<string, Turnstile>();

/** A connection that the server had closed before breaks at once. A request that breaks later may have been worked on. */
const STALE_MS = 1000;

/**
 * Over `node:http`, which takes a quarter of the processor time of `fetch` and the SDK with hundreds of calls at once. A server may
 * close an idle connection just when it is reused: such a request is sent again, on a new connection.
 */
export const createPost =
  (staleMs = STALE_MS): Post =>
  async (url, outgoing) => {
    const target = new URL(url);
    const { agent, fresh, request, connected } = SCHEMES[target.protocol as keyof typeof SCHEMES];
    const leave = hasIdle(agent, target) ? ignore : await turnstileTo(target.origin).enter(outgoing.signal);
    const send = async (over: Agent): Promise<Incoming> => {
      await outgoing.beforeSent();
      const sent = request(target, { ...optionsOf(outgoing), agent: over });
      sent.once('socket', (socket) => whenConnected(sent, { socket, connected, leave }));
      const sentAt = performance.now();
      return await responseTo(sent, outgoing.body).catch((error: unknown) => {
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

const optionsOf = ({ headers, body, signal }: PostRequest) => ({
  method: 'POST',
  headers: { 'user-agent': 'troupe', ...headers, 'content-length': Buffer.byteLength(body) },
  signal,
});

/** Whether a connection is open and unused. */
function hasIdle(agent: Agent, { hostname, port, protocol }: URL): boolean {
  const host = hostname.replace(/^\[|\]$/g, '');
  const start = `${host}:${port || (protocol === 'https:' ? 443 : 80)}:`;
  return Object.keys(agent.freeSockets).some((name) => name.startsWith(start));
}

function turnstileTo(origin: string): Turnstile {
  const known = connects.get(origin) ?? new Turnstile(CONNECTS);
  connects.set(origin, known);
  return known;
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

async function responseTo(sent: ClientRequest, body: string): Promise<Incoming> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    sent.once('response', resolve);
    sent.on('error', reject);
    sent.end(body);
  });
  const headers = Object.entries(response.headers).map(([name, value]) => [name, String(value)]);
  return {
    status: response.statusCode ?? 0,
    statusText: response.statusMessage ?? '',
    headers: Object.fromEntries(headers) as Record<string, string>,
    body: response,
    drop: () => response.destroy(),
  };
}

const isBroken = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE');

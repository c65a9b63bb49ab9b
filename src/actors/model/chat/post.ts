import { Agent, type ClientRequest, type IncomingMessage, request as requestPlain } from 'node:http';
import { Agent as SecureAgent, request as requestSecure } from 'node:https';
import { Readable } from 'node:stream';
import { Turnstile } from '../../../lib/in-turn.ts';

export interface Letter {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
}

export interface Posted {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AsyncIterable<Uint8Array>;
}

/** Sends a body and resolves with the head of the response. No redirect is followed. */
export type Post = (url: string, letter: Letter) => Promise<Posted>;

/** The same over a given `fetch`. */
export const postOver =
  (fetch: typeof globalThis.fetch): Post =>
  async (url, letter) => {
    const response = await fetch(url, { method: 'POST', redirect: 'manual', ...letter });
    const { status, statusText } = response;
    return {
      status,
      statusText,
      headers: Object.fromEntries(response.headers),
      body: response.body ?? Readable.from([]),
    };
  };

// As `fetch` does with the same setting.
const settings = {
  keepAlive: true,
  maxFreeSockets: 1024,
  ...(process.env['NODE_USE_ENV_PROXY'] === '1' ? { proxyEnv: process.env } : {}),
};
const LINES = {
  'http:': { agent: new Agent(settings), request: requestPlain },
  'https:': { agent: new SecureAgent(settings), request: requestSecure },
};

/** How many connections to one server may begin at once: a thousand at the same moment hold everything else up. */
const CONNECTS = 64;
const connects = new Map<string, Turnstile>();

/**
 * Over `node:http`, which costs a tenth of the processor time and memory of `fetch` with hundreds of calls at once. A server may
 * close an idle connection at the moment at which it is used again: such a request is sent once more, on a new one.
 */
export const postJson: Post = async (url, letter) => {
  try {
    return await send(url, letter);
  } catch (error) {
    if (!(error instanceof StaleConnection)) throw error;
    return await send(url, letter);
  }
};

class StaleConnection extends Error {}

async function send(url: string, { headers, body, signal }: Letter): Promise<Posted> {
  const target = new URL(url);
  const { agent, request } = LINES[target.protocol as keyof typeof LINES];
  const leave = hasIdle(agent, target) ? null : await turnstileTo(target.origin).enter(signal);
  let sent: ClientRequest | null = null;
  try {
    const length = Buffer.byteLength(body);
    sent = request(target, { agent, method: 'POST', headers: { ...headers, 'content-length': length }, signal });
    if (leave !== null) whenConnected(sent, leave);
    sent.end(body);
    return posted(await responseTo(sent));
  } catch (error) {
    // What no request was made of: a header that cannot be sent.
    if (sent === null) leave?.();
    if (sent?.reusedSocket === true && isReset(error)) throw new StaleConnection();
    throw error;
  }
}

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

function whenConnected(sent: ClientRequest, leave: () => void): void {
  const { promise, resolve } = Promise.withResolvers<void>();
  void promise.then(leave);
  sent.once('close', resolve);
  sent.once('socket', (socket) => {
    if (socket.connecting) socket.once('connect', resolve);
    else resolve();
  });
}

async function responseTo(sent: ClientRequest): Promise<IncomingMessage> {
  return await new Promise((resolve, reject) => {
    sent.once('response', resolve);
    sent.on('error', reject);
  });
}

function posted(response: IncomingMessage): Posted {
  const headers = Object.entries(response.headers).map(([name, value]) => [name, String(value)]);
  return {
    status: response.statusCode ?? 0,
    statusText: response.statusMessage ?? '',
    headers: Object.fromEntries(headers) as Record<string, string>,
    body: response,
  };
}

const isReset = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ECONNRESET';

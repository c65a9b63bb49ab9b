import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isJsonObject, type Json, type JsonObject, parseJson } from '../../core/model/json.ts';
import type { SeenMessage } from '../../core/look/view.ts';
import { anthropicMessages } from './anthropic-messages.ts';
import { createChooser } from './choose-reply.ts';
import { openAiChat } from './openai-chat.ts';
import { openAiResponses } from './openai-responses.ts';
import { EMPTY_SCENARIO, type Scenario } from './rule.ts';
import { fromWire, tokensOfLength } from './scripted-request.ts';
import { sendError, sendJson, sendOutcome } from './send-outcome.ts';
import type { WireFormat } from './wire-format.ts';

/** The reason real endpoints refuse a conversation: calls and results that do not pair up. Null if they do. */
export function conversationProblem(messages: readonly SeenMessage[]): string | null {
  if (!messages.some((message) => message.role !== 'system')) return 'The conversation has no messages.';
  const open = new Set<string>();
  for (const message of messages) {
    if (message.role === 'tool') {
      const id = message.toolCallId ?? '';
      if (!open.delete(id)) return `The tool result "${id}" answers no call of the message before it.`;
      continue;
    }
    if (open.size > 0) return `The call "${[...open].join('", "')}" has no result right after it.`;
    for (const call of message.toolCalls ?? []) open.add(call.id);
  }
  return open.size > 0 ? `The call "${[...open].join('", "')}" has no result right after it.` : null;
}

export interface ScriptedServerOptions {
  /** 0 takes any free one. */
  readonly port?: number;
  readonly scenario?: Scenario;
  readonly log?: (request: ReceivedRequest) => void;
  /** A field that the endpoint does not know: requests that have it anywhere are refused. */
  readonly refuses?: string;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

export interface ScriptedServer {
  /** Without a path: clients add `/v1`, or have it in their base URL. */
  readonly url: string;
  readonly port: number;
  /** The newest ones, oldest first. */
  readonly requests: readonly ReceivedRequest[];
  close(): Promise<void>;
}

export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  /** Credentials are replaced by `present`. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Json;
  /** Resolves when the exchange is over, answered or broken off. */
  readonly closed: Promise<void>;
}

const FORMATS: readonly WireFormat[] = [openAiChat, openAiResponses, anthropicMessages];
const KEPT_REQUESTS = 1000;
const LARGEST_BODY = 64 * 1024 * 1024;

/** A stand-in for every model vendor at once, on loopback only. */
export async function startScriptedServer(options: ScriptedServerOptions = {}): Promise<ScriptedServer> {
  const requests: ReceivedRequest[] = [];
  const choose = createChooser(options.scenario ?? EMPTY_SCENARIO);
  const now = options.now ?? Date.now;
  const record = (received: ReceivedRequest): void => {
    requests.push(received);
    if (requests.length > KEPT_REQUESTS) requests.shift();
    options.log?.(received);
  };
  const serving: Serving = { choose, now, record, refuses: options.refuses ?? null };
  const server = createServer((request, response) => {
    serve(request, response, serving).catch((error: unknown) => response.destroy(error as Error));
  });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen(options.port ?? 0, '127.0.0.1', resolve);
  await promise;
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requests,
    close: async () => {
      const closed = Promise.withResolvers<void>();
      server.close(() => closed.resolve());
      server.closeAllConnections();
      await closed.promise;
    },
  };
}

interface Serving {
  readonly choose: ReturnType<typeof createChooser>;
  readonly now: () => number;
  readonly record: (received: ReceivedRequest) => void;
  readonly refuses: string | null;
}

async function serve(request: IncomingMessage, response: ServerResponse, serving: Serving): Promise<void> {
  const path = new URL(request.url ?? '/', 'http://127.0.0.1').pathname.replace(/^\/v1(?=\/)/, '');
  const closed = Promise.withResolvers<void>();
  response.once('close', () => closed.resolve());
  const text = await readBody(request);
  const body = text === null ? null : parseJson(text, undefined);
  const method = request.method ?? 'GET';
  serving.record({ method, path, headers: visible(request.headers), body: body ?? null, closed: closed.promise });
  if (method !== 'POST') return sendPage(response, path);
  if (text === null) return sendError(response, openAiChat, { status: 413, error: null, message: 'Too large.' });
  const format = FORMATS.find((known) => known.path === path);
  if (path === '/messages/count_tokens') return sendJson(response, 200, { input_tokens: tokensOfLength(text.length) });
  if (format === undefined) return sendJson(response, 404, openAiChat.errorBody(notFound(path)));
  if (!isJsonObject(body)) return sendError(response, format, badRequest('The body is not a JSON object.'));
  answer(response, { format, body, headers: request.headers }, serving);
}

interface Exchange {
  readonly format: WireFormat;
  readonly body: JsonObject;
  readonly headers: IncomingHttpHeaders;
}

function answer(response: ServerResponse, exchange: Exchange, serving: Serving): void {
  const { format, body, headers } = exchange;
  const request = format.read(body);
  const problem = unknownField(body, serving.refuses) ?? conversationProblem(request.messages);
  if (problem !== null) return sendError(response, format, badRequest(problem));
  const outcome = serving.choose(fromWire(request, headers));
  const context = { request, body, createdAt: Math.floor(serving.now() / 1000) };
  sendOutcome(response, outcome, { format, context });
}

function unknownField(body: JsonObject, field: string | null): string | null {
  const isThere = field !== null && JSON.stringify(body).includes(`"${field}"`);
  return isThere ? `${field}: Extra inputs are not permitted` : null;
}

function sendPage(response: ServerResponse, path: string): void {
  if (path !== '/models') return sendJson(response, path === '/' ? 200 : 404, openAiChat.errorBody(notFound(path)));
  const model = { id: 'scripted', object: 'model', created: 0, owned_by: 'troupe', type: 'model' };
  sendJson(response, 200, {
    object: 'list',
    data: [{ ...model, display_name: 'Scripted', created_at: '1970-01-01T00:00:00Z' }],
    has_more: false,
    first_id: model.id,
    last_id: model.id,
  });
}

const badRequest = (message: string) => ({ status: 400, error: null, message });
const notFound = (path: string) => ({ status: 404, error: null, message: `There is nothing at ${path}.` });

/** Null when it is larger than any conversation should be. */
async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= LARGEST_BODY) chunks.push(chunk);
  }
  return size > LARGEST_BODY ? null : Buffer.concat(chunks).toString('utf8');
}

const SECRET_HEADERS: ReadonlySet<string> = new Set(['authorization', 'x-api-key', 'cookie', 'proxy-authorization']);

function visible(headers: IncomingHttpHeaders): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, SECRET_HEADERS.has(name) ? 'present' : String(value)]),
  );
}

import { createInterface } from 'node:readline';

/**
 * Forwards MCP between a client that only speaks it over stdio and a desk that speaks it over HTTP. A separate program, so
 * it imports nothing of the engine. It decides nothing: each line is one request, each message of the answer one line.
 */
const { TROUPE_DESK_URL: url = '', TROUPE_DESK_TOKEN: token = '' } = process.env;

interface Message {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
}

/** The agreed version in the older protocol, which only the first answer names. */
let agreed: string | null = null;
const underWay = new Map<string | number, AbortController>();

const lines = createInterface({ input: process.stdin, crlfDelay: Infinity });
lines.on('line', (line) => {
  if (line.trim() !== '') void passOn(line);
});
lines.on('close', () => process.exit(0));

async function passOn(line: string): Promise<void> {
  const message = parsed(line);
  if (message === null) return say({ id: null, error: { code: -32_700, message: 'That is not JSON.' } });
  if (message.method === 'notifications/cancelled') stop(message);
  const { id } = message;
  const stopped = new AbortController();
  if (id !== undefined) underWay.set(id, stopped);
  try {
    const body = line;
    const response = await fetch(url, { method: 'POST', headers: headersFor(message), body, signal: stopped.signal });
    await sayAll(response, message);
  } catch {
    // A cancelled request needs no answer.
    if (!stopped.signal.aborted) fail(message, 'The desk cannot be reached.');
  } finally {
    if (id !== undefined) underWay.delete(id);
  }
}

function parsed(line: string): Message | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return null;
  }
}

function stop({ params }: Message): void {
  const id = params?.['requestId'];
  if (typeof id === 'string' || typeof id === 'number') underWay.get(id)?.abort();
}

/** The newer protocol repeats parts of the message in the headers. */
function headersFor({ method, params }: Message): Record<string, string> {
  const meta = params?.['_meta'] as Readonly<Record<string, unknown>> | undefined;
  const claimed = meta?.['io.modelcontextprotocol/protocolVersion'];
  const version = typeof claimed === 'string' ? claimed : agreed;
  const name = params?.['name'] ?? params?.['uri'];
  return {
    Authorization: `Bearer ${token}`,
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    ...(version === null ? {} : { 'MCP-Protocol-Version': headerText(version) }),
    ...(method === undefined ? {} : { 'Mcp-Method': headerText(method) }),
    ...(typeof name === 'string' ? { 'Mcp-Name': headerText(name) } : {}),
  };
}

function headerText(text: string): string {
  const isPlain = /^[\x21-\x7e]+$/.test(text) && !text.startsWith('=?');
  return isPlain ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`;
}

async function sayAll(response: Response, asked: Message): Promise<void> {
  const type = response.headers.get('content-type') ?? '';
  if (type.includes('text/event-stream') && response.body !== null) return await sayEvents(response.body, asked);
  const text = await response.text();
  if (type.includes('application/json') && text !== '') return sayMessage(text, asked);
  if (!response.ok) fail(asked, `The desk refused it (status ${response.status}).`);
}

/** Events are separated by an empty line; only their data counts. */
async function sayEvents(body: ReadableStream<Uint8Array>, asked: Message): Promise<void> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const piece of body) {
    const events = (rest + decoder.decode(piece, { stream: true })).replaceAll('\r\n', '\n').split('\n\n');
    rest = events.pop() ?? '';
    for (const event of events) {
      const data = event.split('\n').filter((line) => line.startsWith('data:'));
      const text = data.map((line) => line.slice('data:'.length).trimStart()).join('\n');
      if (text !== '') sayMessage(text, asked);
    }
  }
}

function sayMessage(text: string, asked: Message): void {
  const message = parsed(text);
  if (message === null) return;
  const version = asked.method === 'initialize' ? message.result?.['protocolVersion'] : undefined;
  if (typeof version === 'string') agreed = version;
  say(message);
}

function fail({ id, method }: Message, message: string): void {
  if (id !== undefined && method !== undefined) say({ id, error: { code: -32_000, message } });
}

function say(message: object): void {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

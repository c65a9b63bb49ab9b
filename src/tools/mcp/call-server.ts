import type { CallToolResult, Client, Transport } from '@modelcontextprotocol/client';
import type { JsonObject } from '../../core/json.ts';
import { Passing } from '../passing.ts';
import type { McpService } from '../port.ts';
import type { McpSearchSettings } from '../web/settings.ts';
import { boundedFetch } from './bounded-fetch.ts';
import { ProcessTransport } from './process-transport.ts';
import type { OutputLimit } from './process-transport.ts';
import { problemText, ServerProblem } from './server-problem.ts';
import { serverStart } from './server-start.ts';

/**
 * One call of a tool of an MCP server: connected for it, and left or ended after it. What goes wrong is thrown as a sentence
 * without addresses, headers or values of the environment, since any of them may hold a key.
 */
export async function callServer(call: ServerCall, service: McpService | undefined): Promise<CallToolResult> {
  const { settings, signal } = call;
  const timeLimit = AbortSignal.timeout(settings.timeoutMs ?? DEFAULT_TIMEOUT_MS);
  const tooMuch = new AbortController();
  const limit: OutputLimit = {
    maxBytes: MAX_BYTES,
    onTooMuch: () => tooMuch.abort(new ServerProblem('it says too much')),
  };
  const transport = await transportOf(settings, service, limit);
  // Loaded with the first search: it is large, and few runs search this way.
  const { Client } = await import('@modelcontextprotocol/client');
  const client = new Client({ name: 'troupe', version: '1' });
  try {
    return await untilStopped(AbortSignal.any([signal, timeLimit, tooMuch.signal]), () => ask(client, transport, call));
  } catch (error) {
    signal.throwIfAborted();
    if (timeLimit.aborted) throw new Passing('The search did not answer in time.', { cause: error });
    // It ended before it answered, for whatever reason: the next one may live longer.
    const isDown = transport instanceof ProcessTransport && !(error instanceof ServerProblem);
    if (isDown) throw new Passing(problemText(error, transport, secretsOf(settings, service)), { cause: error });
    throw new Error(problemText(error, transport, secretsOf(settings, service)), { cause: error });
  } finally {
    await Promise.allSettled([client.close(), transport.close()]);
  }
}

export interface ServerCall {
  readonly settings: McpSearchSettings;
  /** The arguments, in the words of the schema that the server's tool has. */
  readonly argumentsFor: (schema: unknown) => JsonObject;
  readonly signal: AbortSignal;
}

const DEFAULT_TIMEOUT_MS = 30_000;
/** Of all that a server says in one call. */
const MAX_BYTES = 4 * 1024 * 1024;

async function transportOf(
  settings: McpSearchSettings,
  service: McpService | undefined,
  limit: OutputLimit,
): Promise<Transport> {
  const { command, url, headers = {} } = settings;
  if (command !== undefined && command.length > 0) {
    if (service === undefined)
      throw new Error('MCP servers cannot be started here: nothing was set up that keeps them in.');
    return new ProcessTransport(await serverStart(settings, service), limit);
  }
  const address = URL.parse(url ?? '');
  if (address === null || !/^https?:$/.test(address.protocol)) {
    throw new Error('web.search.mcp in the configuration needs a command, or an http or https url.');
  }
  const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
  return new StreamableHTTPClientTransport(address, {
    requestInit: { headers: { ...headers } },
    fetch: boundedFetch(limit.maxBytes, limit.onTooMuch),
    reconnectionOptions: {
      initialReconnectionDelay: 100,
      maxReconnectionDelay: 100,
      reconnectionDelayGrowFactor: 1,
      maxRetries: 0,
    },
  });
}

/** Whatever the other side does, nobody waits longer than this. */
async function untilStopped<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = (): void => reject(signal.reason);
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([work(), promise]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

async function ask(
  client: Client,
  transport: Transport,
  { settings, argumentsFor }: ServerCall,
): Promise<CallToolResult> {
  await client.connect(transport);
  const { tools } = await client.listTools();
  const tool = tools.find(({ name }) => name === settings.tool);
  if (tool === undefined) throw new ServerProblem(`it has no tool "${settings.tool}", but ${listed(tools)}`);
  return await client.callTool({ name: tool.name, arguments: argumentsFor(tool.inputSchema) });
}

function listed(tools: readonly { readonly name: string }[]): string {
  const names = tools.slice(0, MAX_LISTED).map(({ name }) => JSON.stringify(name.slice(0, 60)));
  return names.length === 0 ? 'none at all' : names.join(', ');
}

const MAX_LISTED = 10;

/** Values that must not be told. Of `Bearer key` the key alone, too. */
export function secretsOf(settings: McpSearchSettings, service: McpService | undefined): readonly string[] {
  const { env = [], headers = {}, url = '' } = settings;
  const given = [...Object.values(headers), ...env.map((name) => service?.environment[name] ?? '')];
  const inAddress = [...(URL.parse(url)?.searchParams.values() ?? [])].filter(({ length }) => length >= KEY_LENGTH);
  return [...given, ...given.map((value) => value.trim().split(/\s+/).at(-1) ?? ''), ...inAddress];
}

/** What is shorter in an address is a setting. */
const KEY_LENGTH = 8;

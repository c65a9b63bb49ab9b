import type { CallToolResult, Client, Tool as ListedTool, Transport } from '@modelcontextprotocol/client';
import type { JsonObject } from '../../core/model/json.ts';
import type { McpSearchSettings, McpService } from '../port.ts';
import { endpointSecrets, openTransport, type PlacedEndpoint } from './open-transport.ts';
import { ProcessTransport, ServerProblem, serverProblemText } from './process-transport.ts';
import { Passing } from '../passing.ts';

/** One connection with a server, for many calls. A server that says too much is left. */
export class ServerLink {
  readonly transport: Transport;
  readonly #client: Client;
  readonly #ended: AbortController;

  private constructor(client: Client, transport: Transport, ended: AbortController) {
    this.#client = client;
    this.transport = transport;
    this.#ended = ended;
  }

  /** Nothing is started or sent yet. `tooMuch`: the message about a server that does not stop talking. */
  static async of(placed: PlacedEndpoint, service: McpService | undefined, tooMuch: string): Promise<ServerLink> {
    const ended = new AbortController();
    const onTooMuch = (): void => ended.abort(new ServerProblem(tooMuch));
    const transport = await openTransport(placed, service, { maxBytes: MAX_ANSWER_BYTES, onTooMuch });
    // Loaded with the first server: it is large, and most projects have none.
    const { Client } = await import('@modelcontextprotocol/client');
    return new ServerLink(new Client({ name: 'troupe', version: '1' }), transport, ended);
  }

  async connect(signal: AbortSignal): Promise<void> {
    await this.#within(signal, () => this.#client.connect(this.transport, { timeout: NEVER_MS }));
    this.#client.onclose = () => this.#ended.abort(new Error('The connection was closed.'));
  }

  /** Whether it can still be asked. */
  get isOpen(): boolean {
    return !this.#ended.signal.aborted;
  }

  async list(signal: AbortSignal): Promise<readonly ListedTool[]> {
    const { tools } = await this.#within(signal, () =>
      this.#client.listTools(undefined, { timeout: NEVER_MS, cacheMode: 'bypass' }),
    );
    return tools;
  }

  async call(tool: ListedTool, input: JsonObject, signal: AbortSignal): Promise<CallToolResult> {
    const asked = { name: tool.name, arguments: input };
    const options = { signal, timeout: NEVER_MS, toolDefinition: tool };
    return await this.#within(signal, () => this.#client.callTool(asked, options));
  }

  /** Whether it answers at all: one slow call does not make a server a dead one. */
  async answers(): Promise<boolean> {
    const ping = this.#client.ping({ timeout: PING_MS });
    return await ping.then(
      () => true,
      () => false,
    );
  }

  async close(): Promise<void> {
    this.#ended.abort(new Error('The connection was closed.'));
    await Promise.allSettled([this.#client.close(), this.transport.close()]);
  }

  async #within<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    if (this.transport instanceof ProcessTransport) this.transport.resetOutput();
    return await untilAborted(AbortSignal.any([signal, this.#ended.signal]), work);
  }
}

/** The signals end a wait, each with its own reason. */
const NEVER_MS = 2_000_000_000;
const PING_MS = 3000;

/** The result of the work, or the signal's reason as soon as it fires, whatever the work does. */
async function untilAborted<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
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

/**
 * One call of a tool of an MCP server: connects for it, and disconnects after it. Errors are sentences without addresses, headers
 * or environment values, since any of them may contain a key.
 */
export async function callServer(call: ServerCall, service: McpService | undefined): Promise<CallToolResult> {
  const { settings, signal } = call;
  const timeLimit = AbortSignal.timeout(settings.timeoutMs ?? DEFAULT_TIMEOUT_MS);
  const link = await ServerLink.of({ endpoint: settings, setting: 'web.search.mcp' }, service, 'it says too much');
  const { transport } = link;
  try {
    return await ask(link, call, AbortSignal.any([signal, timeLimit]));
  } catch (error) {
    signal.throwIfAborted();
    if (timeLimit.aborted) throw new Passing('The search did not answer in time.', { cause: error });
    const secrets = endpointSecrets(settings, service);
    const text = serverProblemText(error, { subject: 'The search server', transport, secrets });
    // It ended before it answered, for whatever reason: the next one may live longer.
    const isDown = transport instanceof ProcessTransport && !(error instanceof ServerProblem);
    throw isDown ? new Passing(text, { cause: error }) : new Error(text, { cause: error });
  } finally {
    await link.close();
  }
}

export interface ServerCall {
  readonly settings: McpSearchSettings;
  /** The arguments, in the words of the schema that the server's tool has. */
  readonly argumentsFor: (schema: unknown) => JsonObject;
  readonly signal: AbortSignal;
}

const DEFAULT_TIMEOUT_MS = 30_000;
/** Limit for all output of a server in one call. */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

async function ask(
  link: ServerLink,
  { settings, argumentsFor }: ServerCall,
  signal: AbortSignal,
): Promise<CallToolResult> {
  await link.connect(signal);
  const tools = await link.list(signal);
  const tool = tools.find(({ name }) => name === settings.tool);
  if (tool === undefined) throw new ServerProblem(`it has no tool "${settings.tool}", but ${listedNames(tools)}`);
  return await link.call(tool, argumentsFor(tool.inputSchema), signal);
}

/** The first of them, for a message. */
export function listedNames(tools: readonly { readonly name: string }[]): string {
  const names = tools.slice(0, MAX_LISTED).map(({ name }) => JSON.stringify(name.slice(0, 60)));
  return names.length === 0 ? 'none at all' : names.join(', ');
}

const MAX_LISTED = 10;

import type { CallToolResult, Client, Tool as ListedTool, Transport } from '@modelcontextprotocol/client';
import type { JsonObject } from '../../core/json.ts';
import type { McpService } from '../port.ts';
import { MAX_ANSWER_BYTES } from './call-server.ts';
import type { PlacedEndpoint } from './endpoint.ts';
import { openTransport } from './open-transport.ts';
import { ProcessTransport } from './process-transport.ts';
import { ServerProblem } from './server-problem.ts';
import { untilAborted } from './until-aborted.ts';

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

  /** Started or reached when this resolves; whatever is under way is ended when it rejects. */
  static async open(placed: PlacedEndpoint, service: McpService, wish: OpenWish): Promise<ServerLink> {
    const ended = new AbortController();
    const onTooMuch = (): void => ended.abort(new ServerProblem('it said more than 4 MB at once; ask it for less'));
    const transport = await openTransport(placed, service, { maxBytes: MAX_ANSWER_BYTES, onTooMuch });
    // Loaded with the first server: it is large, and most projects have none.
    const { Client } = await import('@modelcontextprotocol/client');
    const client = new Client({ name: 'troupe', version: '1' });
    const link = new ServerLink(client, transport, ended);
    try {
      await link.#within(wish.signal, () => client.connect(transport, { timeout: NEVER_MS }));
      client.onclose = () => ended.abort(new Error('The connection was closed.'));
      return link;
    } catch (error) {
      wish.onFailure(transport);
      await link.close();
      throw error;
    }
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

export interface OpenWish {
  readonly signal: AbortSignal;
  /** Given what it failed with, which knows what the server printed. */
  readonly onFailure: (transport: Transport) => void;
}

/** The signals end a wait, each with its own reason. */
const NEVER_MS = 2_000_000_000;
const PING_MS = 3000;

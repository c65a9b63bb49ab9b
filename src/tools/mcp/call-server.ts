import type { CallToolResult, Client, Transport } from '@modelcontextprotocol/client';
import type { JsonObject } from '../../core/json.ts';
import { Passing } from '../passing.ts';
import type { McpService } from '../port.ts';
import type { McpSearchSettings } from '../web/settings.ts';
import { endpointSecrets } from './endpoint.ts';
import { openTransport } from './open-transport.ts';
import { ProcessTransport } from './process-transport.ts';
import type { OutputLimit } from './process-transport.ts';
import { serverProblemText, ServerProblem } from './server-problem.ts';
import { untilAborted } from './until-aborted.ts';

/**
 * One call of a tool of an MCP server: connected for it, and left or ended after it. What goes wrong is thrown as a sentence
 * without addresses, headers or values of the environment, since any of them may hold a key.
 */
export async function callServer(call: ServerCall, service: McpService | undefined): Promise<CallToolResult> {
  const { settings, signal } = call;
  const timeLimit = AbortSignal.timeout(settings.timeoutMs ?? DEFAULT_TIMEOUT_MS);
  const tooMuch = new AbortController();
  const limit: OutputLimit = {
    maxBytes: MAX_ANSWER_BYTES,
    onTooMuch: () => tooMuch.abort(new ServerProblem('it says too much')),
  };
  const transport = await openTransport({ endpoint: settings, setting: 'web.search.mcp' }, service, limit);
  // Loaded with the first search: it is large, and few runs search this way.
  const { Client } = await import('@modelcontextprotocol/client');
  const client = new Client({ name: 'troupe', version: '1' });
  try {
    return await untilAborted(AbortSignal.any([signal, timeLimit, tooMuch.signal]), () => ask(client, transport, call));
  } catch (error) {
    signal.throwIfAborted();
    if (timeLimit.aborted) throw new Passing('The search did not answer in time.', { cause: error });
    const secrets = endpointSecrets(settings, service);
    const text = serverProblemText(error, { subject: 'The search server', transport, secrets });
    // It ended before it answered, for whatever reason: the next one may live longer.
    const isDown = transport instanceof ProcessTransport && !(error instanceof ServerProblem);
    throw isDown ? new Passing(text, { cause: error }) : new Error(text, { cause: error });
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
export const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

async function ask(
  client: Client,
  transport: Transport,
  { settings, argumentsFor }: ServerCall,
): Promise<CallToolResult> {
  await client.connect(transport);
  const { tools } = await client.listTools();
  const tool = tools.find(({ name }) => name === settings.tool);
  if (tool === undefined) throw new ServerProblem(`it has no tool "${settings.tool}", but ${listedNames(tools)}`);
  return await client.callTool({ name: tool.name, arguments: argumentsFor(tool.inputSchema) });
}

/** The first of them, for a message. */
export function listedNames(tools: readonly { readonly name: string }[]): string {
  const names = tools.slice(0, MAX_LISTED).map(({ name }) => JSON.stringify(name.slice(0, 60)));
  return names.length === 0 ? 'none at all' : names.join(', ');
}

const MAX_LISTED = 10;

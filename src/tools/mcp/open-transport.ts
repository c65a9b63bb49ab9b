import type { Transport } from '@modelcontextprotocol/client';
import type { McpService } from '../port.ts';
import { boundedFetch } from './bounded-fetch.ts';
import type { McpEndpoint, PlacedEndpoint } from './endpoint.ts';
import { ProcessTransport } from './process-transport.ts';
import type { OutputLimit } from './process-transport.ts';
import { serverStart } from './server-start.ts';

/** What a client speaks through: the server's process in the sandbox, or its address. Nothing is started or sent yet. */
export async function openTransport(
  placed: PlacedEndpoint,
  service: McpService | undefined,
  limit: OutputLimit,
): Promise<Transport> {
  const { endpoint, setting } = placed;
  const { command, url } = endpoint;
  if (command !== undefined && command.length > 0) {
    if (service === undefined)
      throw new Error('MCP servers cannot be started here: nothing was set up that keeps them in.');
    return new ProcessTransport(await serverStart(placed, service), limit);
  }
  const address = URL.parse(url ?? '');
  if (address === null || !/^https?:$/.test(address.protocol)) {
    throw new Error(`${setting} in the configuration needs a command, or an http or https url.`);
  }
  const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
  return new StreamableHTTPClientTransport(address, {
    requestInit: { headers: { ...endpoint.headers, ...keyHeader(endpoint, setting, service) } },
    fetch: boundedFetch(limit.maxBytes, limit.onTooMuch),
    reconnectionOptions: {
      initialReconnectionDelay: 100,
      maxReconnectionDelay: 100,
      reconnectionDelayGrowFactor: 1,
      maxRetries: 0,
    },
  });
}

function keyHeader(
  { apiKeyEnv }: McpEndpoint,
  setting: string,
  service: McpService | undefined,
): Readonly<Record<string, string>> {
  if (apiKeyEnv === undefined) return {};
  const key = service?.environment[apiKeyEnv];
  if (key === undefined || key === '') {
    throw new Error(`${setting}.api_key_env in the configuration names ${apiKeyEnv}, which the user has not set.`);
  }
  return { authorization: `Bearer ${key}` };
}

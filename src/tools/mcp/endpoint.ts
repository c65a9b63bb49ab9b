import type { McpService } from '../port.ts';

/** Where an MCP server is: a program that is started, or an address. One of both is named. */
export interface McpEndpoint {
  /** The program and its arguments; started in the sandbox, with network. */
  readonly command?: readonly string[];
  readonly url?: string;
  /** Names of variables of the user's environment that the program gets, such as the one that holds its key. */
  readonly env?: readonly string[];
  /** Sent to the address. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The name of the variable that holds the key for the address. */
  readonly apiKeyEnv?: string;
  readonly timeoutMs?: number;
}

/** An endpoint with its place in the configuration, for messages. */
export interface PlacedEndpoint {
  readonly endpoint: McpEndpoint;
  /** Such as `mcp.docs`. */
  readonly setting: string;
}

/** Values that no message may show. Of `Bearer key` the key alone, too. */
export function endpointSecrets(endpoint: McpEndpoint, service: McpService | undefined): readonly string[] {
  const { env = [], headers = {}, url = '', apiKeyEnv } = endpoint;
  const names = apiKeyEnv === undefined ? env : [...env, apiKeyEnv];
  const given = [...Object.values(headers), ...names.map((name) => service?.environment[name] ?? '')];
  const inAddress = [...(URL.parse(url)?.searchParams.values() ?? [])].filter(({ length }) => length >= KEY_LENGTH);
  return [...given, ...given.map((value) => value.trim().split(/\s+/).at(-1) ?? ''), ...inAddress];
}

/** Shorter values in an address are settings. */
const KEY_LENGTH = 8;

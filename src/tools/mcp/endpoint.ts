import type { Mode } from '../mode.ts';

/** The address of an MCP server: either a program to start, or a URL. */
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

/** An MCP server whose tools agents get: an entry of `mcp` in the configuration. */
export interface McpServerSettings extends McpEndpoint {
  /** Which of its tools; all of them when left out. */
  readonly tools?: readonly string[];
  /** The least mode of a role that is offered them. */
  readonly mode: Mode;
}

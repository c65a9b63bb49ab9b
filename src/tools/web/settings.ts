import type { McpEndpoint } from '../mcp/endpoint.ts';

/** Where `web_search` asks: `web.search` in the configuration. Named by the user, so it may lie anywhere. */
export type WebSearchSettings = SearchEndpoint | { readonly mcp: McpSearchSettings };

/** A service that answers a GET with JSON. */
export interface SearchEndpoint {
  /** With `{query}`, and `{count}` if the endpoint takes one. */
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** `json` finds title, address and snippet under the names that the common services use. */
  readonly kind: 'searxng' | 'json';
  readonly timeoutMs?: number;
}

/** A tool of an MCP server: one that is started for the search, or one that answers at an address. */
export interface McpSearchSettings extends McpEndpoint {
  /** The server's tool that searches. */
  readonly tool: string;
}

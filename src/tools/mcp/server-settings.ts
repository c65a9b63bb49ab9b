import type { Mode } from '../mode.ts';
import type { McpEndpoint } from './endpoint.ts';

/** An MCP server whose tools agents get: an entry of `mcp` in the configuration. */
export interface McpServerSettings extends McpEndpoint {
  /** Which of its tools; all of them when left out. */
  readonly tools?: readonly string[];
  /** The least mode of a role that is offered them. */
  readonly mode: Mode;
}

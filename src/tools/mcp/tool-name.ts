import { createHash } from 'node:crypto';
import { MCP_PREFIX } from '../../core/mcp-names.ts';

/** How a server's tool is called by agents: `mcp__SERVER__tool`, in characters and a length that all providers take. */
export function mcpToolName(server: string, tool: string): string {
  const name = `${MCP_PREFIX}${server}__${tool.replaceAll(/[^A-Za-z0-9_-]/g, '_')}`;
  if (name.length <= MAX_NAME) return name;
  const hash = createHash('sha256').update(tool).digest('hex').slice(0, HASH_LENGTH);
  return `${name.slice(0, MAX_NAME - HASH_LENGTH - 1)}_${hash}`;
}

const MAX_NAME = 64;
const HASH_LENGTH = 8;

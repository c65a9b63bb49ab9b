/** Every name of a tool of an MCP server begins so, and no name of any other tool. */
export const MCP_PREFIX = 'mcp__';

/** How all tools of a server are named in a list: `mcp__docs__*`. */
export const SERVER_PATTERN = /^mcp__[a-z0-9_-]+__\*$/;

export const serverPattern = (server: string): string => `${MCP_PREFIX}${server}__*`;

/** Whether a list of tools has this one: by its name, or with all tools of its server. */
export const listsTool = (list: readonly string[], tool: string): boolean =>
  list.some((entry) => entry === tool || (SERVER_PATTERN.test(entry) && tool.startsWith(entry.slice(0, -1))));

/** The server that `mcp__docs__search` or `mcp__docs__*` is about; null for the name of another tool. */
export const serverIn = (entry: string): string | null => /^mcp__(.+?)__./.exec(entry)?.[1] ?? null;

/** Every name of a tool of an MCP server begins so, and no name of any other tool. */
export const MCP_PREFIX = 'mcp__';

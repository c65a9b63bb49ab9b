/** The engine's own MCP server, by the name under which clients know it. */
export const DESK_NAME = 'troupe';

import type { McpService, Tool } from '../port.ts';
import { AgentServer } from './agent-server.ts';
import type { McpServerSettings } from './server-settings.ts';
import { serverTools } from './server-tools.ts';

/** The MCP servers of a host, and the tools that agents get of them. */
export interface OpenServers {
  readonly tools: readonly Tool[];
  /** A sentence for each server or tool that cannot be used. */
  readonly problems: readonly string[];
  /** How many tools each server has, for those that can be used. */
  readonly counts: Readonly<Record<string, number>>;
  readonly close: () => Promise<void>;
}

/** Starts or reaches all of them at the same time. One that cannot be used is reported, and the others are there. */
export async function openServers(
  settings: Readonly<Record<string, McpServerSettings>>,
  service: McpService,
): Promise<OpenServers> {
  const servers = Object.entries(settings).map(([name, one]) => new AgentServer(name, one, service));
  const opened = await Promise.all(servers.map(toolsOf));
  return {
    tools: opened.flatMap(({ tools }) => tools),
    problems: opened.flatMap(({ problems }) => problems),
    counts: Object.fromEntries(opened.flatMap(({ isUsable, name, tools }) => (isUsable ? [[name, tools.length]] : []))),
    close: async () => void (await Promise.allSettled(servers.map((server) => server.close()))),
  };
}

async function toolsOf(server: AgentServer) {
  const { name } = server;
  try {
    const { tools, problems } = serverTools(server, await server.list());
    const sentences = problems.map((problem) => `The MCP server "${name}": ${problem}.`);
    return { name, tools, problems: sentences, isUsable: true };
  } catch (error) {
    await server.close();
    return { name, tools: [], problems: [error instanceof Error ? error.message : String(error)], isUsable: false };
  }
}

import type { Project } from '../../app/config/project.ts';
import { lookAtServers } from '../session/look-at-servers.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { Finding } from '../../app/doctor/finding.ts';

/** Whether the MCP servers of agents can be used, and how many tools each has. */
export async function examineServers(project: Project, terminal: Terminal): Promise<readonly Finding[]> {
  const about = 'mcp';
  const { counts, problems } = await lookAtServers(project, terminal);
  const usable = Object.entries(counts).map(([name, count]) => `${name}: ${count} ${count === 1 ? 'tool' : 'tools'}`);
  return [
    ...usable.map((text) => ({ level: 'ok' as const, about, text })),
    ...problems.map((text) => ({ level: 'error' as const, about, text })),
  ];
}

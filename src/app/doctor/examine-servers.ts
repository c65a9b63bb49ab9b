import type { Project } from '../config/project.ts';
import { lookAtServers } from '../world/look-at-servers.ts';
import type { Caller } from '../caller.ts';
import type { DoctorFinding } from './finding.ts';

/** Whether the MCP servers of agents can be used, and how many tools each has. */
export async function examineServers(project: Project, caller: Caller): Promise<readonly DoctorFinding[]> {
  const about = 'mcp';
  const { counts, problems } = await lookAtServers(project, caller);
  const usable = Object.entries(counts).map(([name, count]) => `${name}: ${count} ${count === 1 ? 'tool' : 'tools'}`);
  return [
    ...usable.map((text) => ({ level: 'ok' as const, about, text })),
    ...problems.map((text) => ({ level: 'error' as const, about, text })),
  ];
}

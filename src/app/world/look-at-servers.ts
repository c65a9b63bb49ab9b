import type { OpenServers } from '../../tools/mcp/open-servers.ts';
import type { Tool } from '../../tools/port.ts';
import type { Project } from '../config/project.ts';
import type { Caller } from '../caller.ts';
import type { ProjectView } from '../library/project-trust.ts';
import { storeHome } from './store.ts';
import { toolsOfProject } from './tools-of-project.ts';
import { createWorkbench } from './workbench.ts';

/** Starts or reaches every MCP server as a run would, and ends it. Those of an untrusted project are not in its settings. */
export async function lookAtServers(project: Project, caller: Caller): Promise<SeenServers> {
  const { root, config } = project;
  if (Object.keys(config.mcp).length === 0) return { tools: [], problems: [], counts: {} };
  const { environment } = caller;
  const { openServers } = await import('../../tools/mcp/open-servers.ts');
  const bench = createWorkbench({ home: storeHome(caller), config, project: root, environment });
  const { openSandbox: sandbox, hidden } = bench;
  try {
    const { close, ...seen } = await openServers(config.mcp, { sandbox, hidden, environment });
    await close();
    return seen;
  } finally {
    await bench.close();
  }
}

/** All tools that a run would have besides those that come with Troupe: of the project, where it is trusted, and of servers. */
export async function lookAtTools(view: ProjectView): Promise<readonly Tool[]> {
  const { project, caller } = view;
  const { root, config } = project;
  const bench = createWorkbench({
    home: storeHome(caller),
    config,
    project: root,
    environment: caller.environment,
  });
  try {
    const own = await toolsOfProject(view, bench.openSandbox);
    return [...(own?.tools ?? []), ...(await lookAtServers(project, caller)).tools];
  } finally {
    await bench.close();
  }
}

export type SeenServers = Omit<OpenServers, 'close'>;

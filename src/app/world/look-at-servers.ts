import type { OpenServers } from '../../tools/mcp/server-tools.ts';
import type { Tool } from '../../tools/port.ts';
import type { Project } from '../config/project.ts';
import type { Caller } from '../caller.ts';
import type { ProjectView } from '../library/project-trust.ts';
import { storeHome } from './store.ts';
import { createWorkbench } from './workbench.ts';
import { existsSync } from 'node:fs';
import type { Sandbox } from '../../sandbox/port.ts';
import { allTools } from '../../tools/all-tools.ts';
import type { ProjectTools } from '../../tools/own-tools.ts';
import type { SentTools } from '../../workspace/travel/sent-tools.ts';
import { reportProgressTool, submitOutputTool } from '../../tools/engine-tools.ts';

/** The files in `.troupe/tools`, loaded in the sandbox if the user trusts them as they are; null where there are none. */
export async function toolsOfProject(
  { project, caller }: ProjectView,
  sandbox: () => Promise<Sandbox>,
): Promise<ProjectTools | null> {
  if (!existsSync(`${project.folder}/tools`)) return null;
  const { projectTools, ...about } = await toolLoading(caller, sandbox);
  return await projectTools({ home: storeHome(caller), project: project.root, powers: project.powers, ...about });
}

/** The tools of a project that is on another machine: the files to which the user agreed there. */
export async function sentTools(
  {
    caller,
    elsewhere,
  }: { readonly caller: Caller; readonly elsewhere?: { readonly tools: SentTools | null } | undefined },
  sandbox: () => Promise<Sandbox>,
): Promise<readonly Tool[]> {
  const sent = elsewhere?.tools ?? null;
  if (sent === null) return [];
  const { loadOwnTools, taken, box } = await toolLoading(caller, sandbox);
  const hidden = [storeHome(caller)];
  return await loadOwnTools(sent.folder, { taken, box: { ...box, hidden }, isTrusted: sent.isUnchanged });
}

async function toolLoading({ environment }: Caller, sandbox: () => Promise<Sandbox>) {
  const [{ projectTools, loadOwnTools }, { ownPackage }] = await Promise.all([
    import('../../tools/own-tools.ts'),
    import('../../tools/own/own-package.ts'),
  ]);
  const taken = [...allTools, submitOutputTool([]), reportProgressTool];
  return { projectTools, loadOwnTools, taken, box: { sandbox, environment, ownPackage: ownPackage() } };
}

/** Starts or reaches every MCP server as a run would, and ends it. Those of an untrusted project are not in its settings. */
export async function lookAtServers(project: Project, caller: Caller): Promise<SeenServers> {
  const { root, config } = project;
  if (Object.keys(config.mcp).length === 0) return { tools: [], problems: [], counts: {} };
  const { environment } = caller;
  const { openServers } = await import('../../tools/mcp/server-tools.ts');
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

import { join } from 'node:path';
import { trustState } from '../workspace/trust.ts';
import type { Trust, TrustOptions } from '../workspace/trust.ts';
import { loadOwnTools } from './own-tools.ts';
import type { ToolBox } from './own/tool-box.ts';
import type { Tool } from './port.ts';

/**
 * The tools of a project if the user trusts what is there now. Otherwise no line of the project's code runs, not even in the
 * sandbox, and `trust` tells the caller what to say about it.
 */
export async function projectTools(options: ProjectToolsOptions): Promise<ProjectTools> {
  const { home, project, taken } = options;
  const trust = await trustState(options);
  if (trust.state !== 'trusted') return { tools: [], trust };
  // Nothing of the project but its tools is seen by them; an agent's files are in a workspace.
  const box = { ...options.box, hidden: [home, project] };
  const isTrusted = async (): Promise<boolean> => (await trustState(options)).state === 'trusted';
  return { tools: await loadOwnTools(join(project, '.troupe', 'tools'), { box, taken, isTrusted }), trust };
}

export interface ProjectToolsOptions extends TrustOptions {
  readonly box: Omit<ToolBox, 'hidden'>;
  /** Tools whose names are not to be had. */
  readonly taken: readonly Tool[];
}

export interface ProjectTools {
  readonly tools: readonly Tool[];
  readonly trust: Trust;
}

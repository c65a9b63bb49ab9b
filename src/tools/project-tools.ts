import { join } from 'node:path';
import { trustState } from '../workspace/trust.ts';
import type { Trust, TrustOptions } from '../workspace/trust.ts';
import { allTools } from './all-tools.ts';
import { loadOwnTools } from './own-tools.ts';
import type { Tool } from './port.ts';

/**
 * The built-in tools, and those of the project if the user trusts what is there now. Otherwise no line of the project's
 * code runs, and `trust` tells the caller what to say about it.
 */
export async function projectTools(options: TrustOptions): Promise<ProjectTools> {
  const trust = await trustState(options);
  if (trust.state !== 'trusted') return { tools: allTools, trust };
  const own = await loadOwnTools(join(options.project, '.troupe', 'tools'), allTools);
  return { tools: [...allTools, ...own], trust };
}

export interface ProjectTools {
  readonly tools: readonly Tool[];
  readonly trust: Trust;
}

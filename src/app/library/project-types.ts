import { join } from 'node:path';
import type { AgentType, AgentTypes } from '../../dialects/agent-types/agent-type.ts';
import { loadAgentTypes } from '../../dialects/agent-types/load-agent-types.ts';
import { findAssets } from '../../dialects/shipped.ts';
import type { Drafted } from '../../dialects/source/checked.ts';

/** The types of agents that can be named in some projects: shipped ones, and what each project's `.troupe` says over them. */
export async function readProjectTypes(roots: readonly string[]): Promise<Drafted<AgentTypes>> {
  return await loadAgentTypes([findAssets(), ...roots.map((root) => join(root, '.troupe'))]);
}

/** Whether a project has a word in it. */
export const isOwnType = ({ files }: AgentType): boolean =>
  files.some((file) => !file.startsWith(join(findAssets(), 'agent-types')));

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Fault } from '../core/model/fault.ts';
import type { Workflow } from '../core/model/workflow.ts';
import { loadAgentTypes } from '../source/agent-types/load-agent-types.ts';
import { AGENT_MODES, type AgentMode } from '../source/agent-types/agent-mode.ts';
import { type AgentType, type AgentTypes, rolesOfTypes } from '../source/agent-types/agent-type.ts';
import type { PromptLine } from '../source/agent-types/prompt-library.ts';
import { loadWorkflowFolder } from './load-workflows.ts';
import { loadRoles } from '../source/roles/load-roles.ts';
import type { RoleParts } from '../source/roles/placed-role.ts';
import { hasErrors, valueOrFault } from '../source/checked.ts';

/** The workflows and roles that come with Troupe, the types of agents among them. */
export interface Shipped {
  readonly workflows: readonly Workflow[];
  readonly roles: RoleParts;
}

export async function loadShipped(assets: string = findAssets()): Promise<Shipped> {
  const { workflows, problems } = await loadWorkflowFolder(join(assets, 'workflows'));
  if (hasErrors(problems)) throw new Fault('ASSETS_DAMAGED', 'The shipped workflows cannot be read.', { problems });
  const { roles, types } = await loadAgents(assets);
  return { workflows, roles: { ...roles, ...valueOrFault(rolesOfTypes(types, roles), 'ASSETS_DAMAGED') } };
}

/** The shipped roles and types of agents. */
export interface ShippedAgents {
  readonly roles: RoleParts;
  readonly types: AgentTypes;
}

/** From the file that the build wrote, where this is the built program: parsing some fifty files takes longer than a short run. */
export async function shippedAgents(folder: string = import.meta.dirname): Promise<ShippedAgents> {
  const compiled = join(folder, COMPILED_AGENTS);
  return existsSync(compiled) ? compiledAgents(readFileSync(compiled, 'utf8')) : await loadAgents(findAssets());
}

async function loadAgents(assets: string): Promise<ShippedAgents> {
  const roles = valueOrFault(await loadRoles(join(assets, 'roles')), 'ASSETS_DAMAGED');
  return { roles, types: valueOrFault(await loadAgentTypes([assets]), 'ASSETS_DAMAGED') };
}

/** Beside the built program. */
export const COMPILED_AGENTS = 'shipped-agents.json';

const ASSETS = '<assets>';

/** The shipped roles and types as text, with every prompt of each type; for the build. */
export async function compileAgents(assets: string = findAssets()): Promise<string> {
  const { roles, types } = await loadAgents(assets);
  const written = Object.values(types).map((type) => ({
    ...type,
    prompts: Object.fromEntries(AGENT_MODES.map((mode) => [mode, type.promptIn(mode)])),
  }));
  return JSON.stringify({ roles, types: written }).replaceAll(JSON.stringify(assets).slice(1, -1), ASSETS);
}

function compiledAgents(text: string): ShippedAgents {
  const { roles, types } = JSON.parse(text.replaceAll(ASSETS, JSON.stringify(findAssets()).slice(1, -1))) as Compiled;
  const read = types.map(({ prompts, ...type }) => ({ ...type, promptIn: (mode: AgentMode) => prompts[mode] }));
  return { roles, types: Object.fromEntries(read.map((type) => [type.name, type])) };
}

interface Compiled {
  readonly roles: RoleParts;
  readonly types: readonly (Omit<AgentType, 'promptIn'> & {
    readonly prompts: Readonly<Record<AgentMode, readonly PromptLine[]>>;
  })[];
}

/** The `assets` folder above this module, which runs from `src` in development and from one bundle in a release. */
export function findAssets(from: string = import.meta.dirname): string {
  for (let folder = from; ; folder = dirname(folder)) {
    const assets = join(folder, 'assets');
    if (existsSync(join(assets, 'workflows'))) return assets;
    if (dirname(folder) === folder) {
      throw new Fault('ASSETS_MISSING', 'The workflows and roles that come with Troupe were not found.', {
        hint: 'Install Troupe again.',
        facts: { from },
      });
    }
  }
}

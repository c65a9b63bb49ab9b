import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Fault } from '../core/model/fault.ts';
import type { Workflow } from '../core/model/workflow.ts';
import { loadAgentTypes } from '../source/agent-types/load-agent-types.ts';
import { rolesOfTypes } from '../source/agent-types/agent-type.ts';
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
  const roles = valueOrFault(await loadRoles(join(assets, 'roles')), 'ASSETS_DAMAGED');
  const types = valueOrFault(await loadAgentTypes([assets]), 'ASSETS_DAMAGED');
  return { workflows, roles: { ...roles, ...valueOrFault(rolesOfTypes(types, roles), 'ASSETS_DAMAGED') } };
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

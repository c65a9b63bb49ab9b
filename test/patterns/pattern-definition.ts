import type { Definition } from '../../src/core/role.ts';
import { buildDefinition } from '../../src/dialects/definition.ts';
import { mergeRoles } from '../../src/dialects/roles/placed-role.ts';
import { loadShipped } from '../../src/dialects/shipped.ts';
import { valueOrFault } from '../../src/dialects/source/checked.ts';

/** A shipped workflow with the shipped roles. */
export async function patternDefinition(name: string): Promise<Definition> {
  const { workflows, roles } = await loadShipped();
  return valueOrFault(buildDefinition(name, workflows, mergeRoles(roles)), 'TEST');
}

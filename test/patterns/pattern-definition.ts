import type { Definition } from '../../src/core/model/definition.ts';
import { buildDefinition } from '../../src/formats/definition.ts';
import { mergeRoles } from '../../src/source/roles/placed-role.ts';
import { loadShipped } from '../../src/formats/load-assets.ts';
import { valueOrFault } from '../../src/source/checked.ts';

/** A shipped workflow with the shipped roles. */
export async function patternDefinition(name: string): Promise<Definition> {
  const { workflows, roles } = await loadShipped();
  return valueOrFault(buildDefinition(name, workflows, mergeRoles(roles)), 'INTERNAL');
}

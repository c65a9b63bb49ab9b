import type { Family } from '../family.ts';
import { withRoleFallbacks } from './parse/role-fallbacks.ts';
import { stageChanges } from './change-words.ts';

export const STAGES: Family = {
  shipped: async () => (await import('./parse/planned-stages.ts')).shippedStages(),
  withRoles: withRoleFallbacks,
  command: 'start',
  roleHint: (wrong, _roles, similar) => [similar, makeHint(wrong)].filter((part) => part !== undefined).join(' '),
  runsCode: true,
  drawnFrom: 'states',
  changeWords: (_workflow, parts) => stageChanges(parts),
};

/** Authors of stages name the roles themselves, and most of them do not exist yet. */
const makeHint = (role: string): string | undefined =>
  /^[\w-]+$/.test(role) ? `To make the role, say what it does in .troupe/roles/${role}.md.` : undefined;

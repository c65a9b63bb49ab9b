import { narrower, type Role } from '../../core/role.ts';
import type { PlacedRole } from '../roles/placed-role.ts';
import { MODE_RULES, type AgentMode } from './agent-mode.ts';

/** What changes of a role that works in a mode. A plain role keeps its words, and of what it may do no more than the mode allows. */
export function changeInMode(role: PlacedRole, mode: AgentMode): Partial<Omit<Role, 'name'>> {
  if (role.inMode !== undefined) return role.inMode(mode);
  return { mode: narrower(role.mode, MODE_RULES[mode].access) };
}

import type { Position } from '../../core/fault.ts';
import type { Role } from '../../core/role.ts';
import type { AgentMode } from '../agent-types/agent-mode.ts';

/** A role that knows where its names of others were written. No part of a run: a definition holds roles without it. */
export interface PlacedRole extends Role {
  /** By key, of a list by item, such as `actor` or `followups[1]`; of tools of MCP servers by name: `tools.mcp__docs__*`. */
  readonly places?: RolePlaces;
  /** Of a type of agent: what changes when it works in another mode (PH3). */
  readonly inMode?: (mode: AgentMode) => Partial<Omit<Role, 'name'>>;
}

export type RolePlaces = Readonly<Record<string, RolePlace>>;

export interface RolePlace {
  readonly file: string;
  readonly at: Position;
}

/** For those who tell what is wrong with a definition, never for a run. */
export function placedRole(roles: Readonly<Record<string, Role>>, written: Readonly<Record<string, PlacedRole>>) {
  const placed = Object.entries(roles).map(([name, role]): [string, PlacedRole] => {
    const places = written[name]?.places;
    return [name, places === undefined ? role : { ...role, places }];
  });
  return Object.fromEntries(placed);
}

export function withoutPlaces({ places: _places, inMode: _inMode, ...role }: PlacedRole): Role {
  return role;
}

import type { Position } from '../../core/model/fault.ts';
import type { Role } from '../../core/model/role.ts';
import { PROJECT_READING_TOOLS, WEB_TOOLS } from '../../core/model/tool-names.ts';
import { signalTool } from '../../core/model/signal.ts';
import type { AgentMode } from '../agent-types/agent-mode.ts';

/** A role that knows where its references were written. Not part of a run: a definition holds roles without it. */
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

/** For messages about a definition, never for a run. */
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

/** A role as far as one file defines it; layers of them make a whole role. */
export type RolePart = Partial<Omit<PlacedRole, 'name'>>;

export type RoleParts = Readonly<Record<string, RolePart>>;

/** The names of the tools that come with Troupe, so that a role can be checked without them. A test compares the two lists. */
export const SHIPPED_TOOLS: readonly string[] = [
  ...PROJECT_READING_TOOLS,
  ...WEB_TOOLS,
  'todo_write',
  'task',
  'execute_terminal',
  'write_file',
  'edit_file',
  'settle_conflict',
];

/** Tools that change files, if the role's mode lets them. */
export const WRITING_TOOLS: readonly string[] = ['execute_terminal', 'write_file', 'edit_file'];

export const PLAIN_ROLE: Omit<Role, 'name'> = {
  level: 'base',
  systemMessage: '',
  examples: [],
  excludedTools: [],
  includedTools: null,
  parsingTools: [],
};

/** Later layers win, key by key: a user's entry replaces what it names of a shipped role and keeps the rest. */
export function mergeRoles(...layers: readonly RoleParts[]): Readonly<Record<string, PlacedRole>> {
  const merged = new Map<string, RolePart>();
  for (const layer of layers) {
    for (const [name, part] of Object.entries(layer)) merged.set(name, laidOver(merged.get(name), part));
  }
  return Object.fromEntries([...merged].map(([name, part]) => [name, withSignals({ name, ...PLAIN_ROLE, ...part })]));
}

/** The upper layer wins, with its places. */
export function laidOver(lower: RolePart | undefined, part: RolePart): RolePart {
  if (lower?.places === undefined || part.places === undefined) return { ...lower, ...part };
  return { ...lower, ...part, places: { ...lower.places, ...part.places } };
}

/** Signals are a structured reply like any other, made from what the role may send once all layers are known. */
function withSignals(role: PlacedRole): PlacedRole {
  if (role.signals === undefined || role.signals.length === 0) return role;
  return { ...role, parsingTools: [...role.parsingTools, signalTool(role)] };
}

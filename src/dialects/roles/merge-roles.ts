import type { Role } from '../../core/role.ts';
import { signalTool } from '../../core/signal.ts';
import type { PlacedRole } from './placed-role.ts';
import type { RolePart, RoleParts } from './role-part.ts';

const PLAIN: Omit<Role, 'name'> = {
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
  return Object.fromEntries([...merged].map(([name, part]) => [name, withSignals({ name, ...PLAIN, ...part })]));
}

/** What both say, the upper one says, and where. */
export function laidOver(lower: RolePart | undefined, part: RolePart): RolePart {
  if (lower?.places === undefined || part.places === undefined) return { ...lower, ...part };
  return { ...lower, ...part, places: { ...lower.places, ...part.places } };
}

/** Signals are a structured reply like any other, made of what the role may send once all layers are known. */
function withSignals(role: PlacedRole): PlacedRole {
  if (role.signals === undefined || role.signals.length === 0) return role;
  return { ...role, parsingTools: [...role.parsingTools, signalTool(role)] };
}

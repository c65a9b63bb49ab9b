import type { Role } from '../../core/role.ts';
import { signalTool } from '../../core/signal.ts';
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
export function mergeRoles(...layers: readonly RoleParts[]): Readonly<Record<string, Role>> {
  const merged = new Map<string, RolePart>();
  for (const layer of layers) {
    for (const [name, part] of Object.entries(layer)) merged.set(name, { ...merged.get(name), ...part });
  }
  return Object.fromEntries([...merged].map(([name, part]) => [name, withSignals({ name, ...PLAIN, ...part })]));
}

/** Signals are a structured reply like any other, made of what the role may send once all layers are known. */
function withSignals(role: Role): Role {
  if (role.signals === undefined || role.signals.length === 0) return role;
  return { ...role, parsingTools: [...role.parsingTools, signalTool(role)] };
}

import type { Problem } from '../core/fault.ts';
import type { Role } from '../core/role.ts';
import type { Tool } from './port.ts';

/** The tools a role may use, and a problem for each name in its lists that is no tool. */
export function toolsFor(
  role: RoleTools,
  tools: readonly Tool[],
): { tools: readonly Tool[]; problems: readonly Problem[] } {
  const names = new Set(tools.map((tool) => tool.spec.name));
  const included = role.includedTools === null ? names : new Set(role.includedTools);
  const excluded = new Set(role.excludedTools);
  return {
    tools: tools.filter(({ spec }) => included.has(spec.name) && !excluded.has(spec.name)),
    problems: [...unknownNames(role, 'includedTools', names), ...unknownNames(role, 'excludedTools', names)],
  };
}

type RoleTools = Pick<Role, 'name' | 'includedTools' | 'excludedTools'>;

function unknownNames(
  role: RoleTools,
  list: 'includedTools' | 'excludedTools',
  names: ReadonlySet<string>,
): readonly Problem[] {
  return (role[list] ?? []).flatMap((name, at) =>
    names.has(name) ? [] : [unknownName(role, { name, at, list, names })],
  );
}

function unknownName(
  role: RoleTools,
  found: { readonly name: string; readonly at: number; readonly list: string; readonly names: ReadonlySet<string> },
): Problem {
  return {
    code: 'TOOL_UNKNOWN',
    message: `The role ${role.name} names the tool "${found.name}", which does not exist.`,
    severity: 'error',
    path: `${found.list}[${found.at}]`,
    hint: `The tools are ${[...found.names].join(', ')}.`,
  };
}

import type { Problem } from '../../core/fault.ts';
import { SERVER_PATTERN, serverIn } from '../../core/mcp-names.ts';
import type { PlacedRole } from '../../dialects/roles/placed-role.ts';
import { nameHint } from '../../dialects/source/closest-name.ts';
import type { Project } from '../config/project.ts';

/**
 * MCP servers that roles name in their lists of tools, against those in the configuration. Without its server a pattern stands
 * for no tool, so it is an error; a single name is a warning, because the rest of the list still holds.
 */
export function checkServerNames(
  names: Iterable<string>,
  roles: Readonly<Record<string, PlacedRole>>,
  servers: readonly string[],
): readonly Problem[] {
  return [...names].flatMap((name) => {
    const role = roles[name];
    if (role === undefined) return [];
    const listed = [...(role.includedTools ?? []), ...role.excludedTools, ...(role.ask ?? [])];
    return [...new Set(listed)].flatMap((tool) => {
      const server = serverIn(tool);
      return server === null || servers.includes(server) ? [] : [unknownServer({ role, tool, server }, servers)];
    });
  });
}

/** Also those that wait for the user's trust. */
export function knownServers({ config, powers }: Pick<Project, 'config' | 'powers'>): readonly string[] {
  const withheld = powers.flatMap(({ setting }) => (setting.startsWith('mcp.') ? [setting.slice('mcp.'.length)] : []));
  return [...new Set([...Object.keys(config.mcp), ...withheld])];
}

interface Named {
  readonly role: PlacedRole;
  readonly tool: string;
  readonly server: string;
}

function unknownServer({ role, tool, server }: Named, servers: readonly string[]): Problem {
  const hint = nameHint(server, servers) ?? 'Add the server under mcp in .troupe/config.yaml.';
  return {
    code: 'MCP_UNKNOWN',
    message: `The role "${role.name}" names "${tool}", but no MCP server named "${server}" is configured.`,
    severity: SERVER_PATTERN.test(tool) ? 'error' : 'warning',
    ...role.places?.[`tools.${tool}`],
    path: `roles.${role.name}.tools`,
    hint,
  };
}

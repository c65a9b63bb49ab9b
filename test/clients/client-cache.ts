import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * The real clients under test, and one real MCP server, each in a version that was tried. They are no part of the package and no dependency of it: one
 * is not free, and all are large. `node scripts/clients.mjs` installs them into a folder that outlives the checkout.
 */
export const CLIENTS = {
  claude: { package: '@anthropic-ai/claude-code', version: '2.1.325' },
  codex: { package: '@openai/codex', version: '0.166.0' },
  'claude-agent-acp': { package: '@agentclientprotocol/claude-agent-acp', version: '0.99.1' },
  'mcp-server-everything': { package: '@modelcontextprotocol/server-everything', version: '2026.8.31' },
} as const;

export type ClientUnderTest = keyof typeof CLIENTS;

/** Where a client is, or would be. `TROUPE_CLIENTS` names one folder for all, in which nothing is ever installed. */
export function clientFolder(name: ClientUnderTest): string {
  const given = process.env['TROUPE_CLIENTS'];
  if (given !== undefined && given !== '') return given;
  const cache = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
  return join(cache, 'troupe-test-clients', `${name}-${CLIENTS[name].version}`);
}

export function isInstalled(name: ClientUnderTest): boolean {
  return clientProgram(name) !== null;
}

/** What npm put there to be started; null where it is not installed. */
export function clientProgram(name: ClientUnderTest): string | null {
  const modules = join(clientFolder(name), 'node_modules');
  const path = name === 'codex' ? codexProgram(modules) : join(modules, '.bin', name);
  return path !== null && existsSync(path) ? path : null;
}

/** The program itself: what npm links is a script that starts it, and leaves it running when it is killed. */
function codexProgram(modules: string): string | null {
  const vendor = join(modules, `@openai/codex-${process.platform}-${process.arch}`, 'vendor');
  const [target] = existsSync(vendor) ? readdirSync(vendor) : [];
  return target === undefined ? null : join(vendor, target, 'bin/codex');
}

import { homedir } from 'node:os';
import { join } from 'node:path';
import type { ClientOrder } from '../../client-port.ts';
import { clientEnvironment, ownVariables, type OwnVariables } from '../client-environment.ts';
import type { LoginFile } from '../login-file.ts';
import { namedAddresses, reachOf, type Reach } from '../network/reach.ts';

export const CLAUDE_OWN: OwnVariables = {
  prefixes: ['ANTHROPIC_', 'CLAUDE_'],
  except: [
    /^CLAUDE_(CONFIG_DIR|PROJECT_DIR|ENV_FILE|PLUGIN_)/,
    /^CLAUDE_CODE_(ENTRYPOINT|SSE_PORT|SESSION|REMOTE|TMPDIR|CHILD|SIMPLE|SAFE_MODE|TASK|AGENT|TEAM)/,
  ],
};

export function claudeEnvironment(
  environment: NodeJS.ProcessEnv,
  order: Pick<ClientOrder, 'place' | 'home' | 'limits'>,
): Readonly<Record<string, string>> {
  return { ...clientEnvironment(environment, order, CLAUDE_OWN), ...claudeSettings(order) };
}

/** What it gets in any case, however it is started. */
export function claudeSettings(order: Pick<ClientOrder, 'home' | 'limits'>): Readonly<Record<string, string>> {
  return {
    CLAUDE_CONFIG_DIR: configFolder(order.home),
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    // The engine decides on retries, and knows of them.
    CLAUDE_CODE_MAX_RETRIES: '1',
    // A turn ends when it says so; nothing of it goes on behind.
    CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1',
    // What one agent keeps in mind beside its conversation would reach all others of the run.
    CLAUDE_CODE_DISABLE_AUTO_MEMORY: '1',
    // The desk may check for long before it answers.
    MCP_TOOL_TIMEOUT: String(Math.min(order.limits.wallMs, 2 ** 31 - 1)),
  };
}

const configFolder = (home: string): string => join(home, '.claude');

/** By what it is told what to do, besides our own words: none of it is obeyed, or it would be obeyed by the next turn too. */
export const CLAUDE_SETTINGS = {
  way: ['.claude'],
  names: [
    '.claude.json .config.json backups settings.json settings.local.json remote-settings.json',
    'CLAUDE.md rules agents skills commands hooks plugins output-styles',
  ].flatMap((names) => names.split(' ')),
};

/** Where the user's login is, and where it has to be for the client. */
export function claudeLogin(environment: NodeJS.ProcessEnv, home: string): LoginFile {
  return { user: claudeLoginFile(environment), copy: join(configFolder(home), LOGIN), home };
}

export function claudeLoginFile(environment: NodeJS.ProcessEnv): string {
  const folder = environment['CLAUDE_CONFIG_DIR'] ?? configFolder(environment['HOME'] ?? homedir());
  return join(folder, LOGIN);
}

const LOGIN = '.credentials.json';

/** Variables that are a login by themselves, in the order in which they count. */
export const CLAUDE_LOGIN_VARIABLES = ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN'] as const;

export function claudeSecrets(environment: NodeJS.ProcessEnv): readonly string[] {
  return CLAUDE_LOGIN_VARIABLES.map((name) => environment[name] ?? '').filter((value) => value !== '');
}

/** The vendor's: the model, and where a login is refreshed (the last one by older versions). */
export const CLAUDE_HOSTS: Reach = ['api.anthropic.com:443', 'platform.claude.com:443', 'console.anthropic.com:443'];

export function claudeReach(environment: NodeJS.ProcessEnv, order: ClientOrder, hosts: Reach = []): Reach {
  const addresses = namedAddresses(ownVariables(environment, CLAUDE_OWN));
  return reachOf(order, { addresses, hosts: [...(addresses.length === 0 ? CLAUDE_HOSTS : []), ...hosts] });
}

/** Host and port of the model's endpoint, for sentences. */
export function claudeHost(environment: NodeJS.ProcessEnv): string {
  return URL.parse(environment['ANTHROPIC_BASE_URL'] ?? '')?.host ?? 'api.anthropic.com';
}

import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { ClientOrder, Desk } from '../../client-port.ts';
import { clientEnvironment, type OwnVariables } from '../client-environment.ts';
import type { LoginFile } from '../login-file.ts';

const OWN: OwnVariables = {
  prefixes: ['OPENAI_', 'CODEX_'],
  except: [/^CODEX_(HOME|CI|VERSION|THREAD|SESSION|SANDBOX|TOOL_CALL|TURN|MANAGED|INTERNAL|APPLY_PATCH)/],
};

/** `variables`: further ones that the user's own settings name as keys. */
export function codexEnvironment(
  environment: NodeJS.ProcessEnv,
  order: Pick<ClientOrder, 'place' | 'home' | 'desk'>,
  variables: readonly string[],
): Readonly<Record<string, string>> {
  return {
    ...clientEnvironment(environment, order, OWN),
    ...named(environment, variables),
    ...ownKey(environment),
    ...deskVariables(order.desk),
    CODEX_HOME: codexFolder(order.home),
  };
}

function named(environment: NodeJS.ProcessEnv, names: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(names.map((name) => [name, environment[name] ?? '']).filter(([, value]) => value !== ''));
}

/** Not below the folder for temporary files: its helpers would be missing there. */
export const codexFolder = (home: string): string => join(home, '.codex');

/** Without a login it takes a key only by this name, unless its provider names another. */
function ownKey(environment: NodeJS.ProcessEnv): Readonly<Record<string, string>> {
  const key = environment['CODEX_API_KEY'] ?? environment['OPENAI_API_KEY'] ?? '';
  return key === '' || existsSync(codexLoginFile(environment)) ? {} : { CODEX_API_KEY: key };
}

/** The desk's token comes by the environment: in a command line or in a file others could read it. */
function deskVariables(desk: Desk | null): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.values(desk?.headers ?? {}).map((value, index) => [deskVariable(index), value]));
}

export const DESK_VARIABLES = 'TROUPE_DESK_';
export const deskVariable = (index: number): string => `${DESK_VARIABLES}${index}`;

/** Where the user's login is, and where it has to be for the client. */
export function codexLogin(environment: NodeJS.ProcessEnv, home: string): LoginFile {
  return { user: codexLoginFile(environment), copy: join(codexFolder(home), LOGIN), home };
}

export const codexLoginFile = (environment: NodeJS.ProcessEnv): string => join(userFolder(environment), LOGIN);
export const userSettings = (environment: NodeJS.ProcessEnv): string => join(userFolder(environment), 'config.toml');

const LOGIN = 'auth.json';

function userFolder(environment: NodeJS.ProcessEnv): string {
  return environment['CODEX_HOME'] ?? codexFolder(environment['HOME'] ?? homedir());
}

/** Variables that are a login by themselves, in the order in which they count. */
export const CODEX_LOGIN_VARIABLES = ['CODEX_API_KEY', 'OPENAI_API_KEY'] as const;

/** The variable with the key; null where there is none. */
export function keyVariable(environment: NodeJS.ProcessEnv): string | null {
  return CODEX_LOGIN_VARIABLES.find((name) => (environment[name] ?? '') !== '') ?? null;
}

export function codexSecrets(environment: NodeJS.ProcessEnv): readonly string[] {
  return CODEX_LOGIN_VARIABLES.map((name) => environment[name] ?? '').filter((value) => value !== '');
}

/** The address that the user wants instead of the vendor's; null where there is none. */
export function baseUrl(environment: NodeJS.ProcessEnv): string | null {
  const given = environment['OPENAI_BASE_URL'] ?? '';
  return given === '' ? null : given;
}

/** Host and port of the model's endpoint, for sentences. */
export function codexHost(environment: NodeJS.ProcessEnv): string {
  return URL.parse(baseUrl(environment) ?? '')?.host ?? 'api.openai.com';
}

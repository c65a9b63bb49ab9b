import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { lstat, readFile } from 'node:fs/promises';
import type { ClientTraits, ClientOrder, Desk, SessionOrder } from '../../port.ts';
import { clientEnvironment } from '../client-box.ts';
import { type ClientVendor, userFile, userLogins } from '../client-vendor.ts';
import { type Reach, reachOf } from '../network/reach.ts';

export const CODEX: ClientVendor = {
  title: 'Codex',
  own: {
    prefixes: ['OPENAI_', 'CODEX_'],
    except: [/^CODEX_(HOME|CI|VERSION|THREAD|SESSION|SANDBOX|TOOL_CALL|TURN|MANAGED|INTERNAL|APPLY_PATCH)/],
  },
  loginVariables: ['CODEX_API_KEY', 'OPENAI_API_KEY'],
  loginFiles: [{ path: '.codex/auth.json', movedBy: { variable: 'CODEX_HOME', path: 'auth.json' } }],
  loginHint: 'Log in with `codex login`, or set OPENAI_API_KEY.',
  endpoint: { variable: 'OPENAI_BASE_URL', host: 'api.openai.com' },
  // The model by key or by login, and where a login is refreshed.
  hosts: ['api.openai.com:443', 'chatgpt.com:443', 'auth.openai.com:443'],
};

export const CODEX_TRAITS: ClientTraits = {
  provider: 'openai',
  choosesSession: false,
  canResume: true,
  canFork: true,
};

/** `variables`: further ones that the user's own settings name as keys. */
export function codexEnvironment(
  environment: NodeJS.ProcessEnv,
  order: Pick<ClientOrder, 'place' | 'home' | 'desk'>,
  variables: readonly string[],
): Readonly<Record<string, string>> {
  return {
    ...clientEnvironment(environment, order, CODEX.own),
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
  return key === '' || userLogins(CODEX, environment).some((file) => existsSync(file)) ? {} : { CODEX_API_KEY: key };
}

/** The desk's token comes by the environment: in a command line or in a file others could read it. */
function deskVariables(desk: Desk | null): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.values(desk?.headers ?? {}).map((value, index) => [deskVariable(index), value]));
}

export const DESK_VARIABLES = 'TROUPE_DESK_';
export const deskVariable = (index: number): string => `${DESK_VARIABLES}${index}`;

export const userSettings = (environment: NodeJS.ProcessEnv): string =>
  userFile({ path: '.codex/config.toml', movedBy: { variable: 'CODEX_HOME', path: 'config.toml' } }, environment);

/** The address that the user set instead of the vendor's; null without one. */
export function baseUrl(environment: NodeJS.ProcessEnv): string | null {
  const given = environment['OPENAI_BASE_URL'] ?? '';
  return given === '' ? null : given;
}

export interface CodexArguments {
  readonly program: string;
  readonly session: SessionOrder;
  /** The name of the turn's settings. */
  readonly profile: string;
}

/** One turn. The prompt goes through standard input. */
export function codexArguments({ program, session, profile }: CodexArguments): readonly string[] {
  return [program, 'exec', ...SPEAKING, '-p', profile, ...sessionWords(session), '-'];
}

const SPEAKING = ['--json', '--skip-git-repo-check', '--ignore-rules'];

function sessionWords(session: SessionOrder): readonly string[] {
  if (session.how === 'new') return [];
  return session.how === 'resumed' ? ['resume', session.id] : ['fork', session.from];
}

/** It takes anything else for a name, and where it does not know the name it begins a new conversation without a word. */
export const isThreadId = (id: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id);

/** The user's settings that choose the model and its address. */
export interface ModelSettings {
  /** The settings of the top level, as they were written. */
  readonly top: string;
  /** The tables, as they were written. */
  readonly tables: string;
  /** Variables of the environment that hold the keys. */
  readonly variables: readonly string[];
}

/**
 * The user's choice of model and provider goes along; programs to be started, servers, hooks and trusted folders do not.
 * Read line by line: a setting that goes over several lines on the top level is left out.
 */
export async function readModelSettings(path: string): Promise<ModelSettings> {
  const found = await lstat(path).catch(() => null);
  if (found === null || found.size > LARGEST_BYTES) return NO_SETTINGS;
  return modelSettings(await readFile(path, 'utf8').catch(() => ''));
}

const LARGEST_BYTES = 256 * 1024;
export const NO_SETTINGS: ModelSettings = { top: '', tables: '', variables: [] };

export function modelSettings(text: string): ModelSettings {
  const top: string[] = [];
  const tables: string[] = [];
  let table: string | null = null;
  for (const line of text.split(/\r?\n/)) {
    const name = TABLE.exec(line)?.[1];
    if (name !== undefined) table = name;
    if (table === null && TOP_SETTING.test(line)) top.push(line);
    if (table !== null && PROVIDER_TABLE.test(table)) tables.push(line);
  }
  const variables = [...tables.join('\n').matchAll(KEY_VARIABLE)].map((match) => match[1] ?? '');
  return { top: top.join('\n'), tables: tables.join('\n').trim(), variables };
}

const TABLE = /^\s*\[+\s*([^\]]+?)\s*\]/;
const PROVIDER_TABLE = /^model_providers\./;
const TOP_SETTING =
  /^\s*(model|model_provider|model_reasoning_effort|model_verbosity|service_tier|openai_base_url)\s*=\s*("[^"]*"|'[^']*')\s*(#.*)?$/;
const KEY_VARIABLE = /^\s*env_key\s*=\s*["']([A-Za-z_][A-Za-z0-9_]*)["']/gm;

/** The user's own settings may name several providers: which of them is used, the client decides. */
export function codexReach(environment: NodeJS.ProcessEnv, order: ClientOrder, wish: CodexReachWish): Reach {
  const url = baseUrl(environment);
  if (url !== null) return reachOf(order, { addresses: [url], hosts: wish.hosts });
  return reachOf(order, { addresses: addressesIn(wish.settings), hosts: [...CODEX.hosts, ...wish.hosts] });
}

interface CodexReachWish {
  readonly settings: Pick<ModelSettings, 'top' | 'tables'>;
  readonly hosts: Reach;
}

function addressesIn({ top, tables }: CodexReachWish['settings']): readonly string[] {
  const found = `${top}\n${tables}`.matchAll(/^\s*(?:openai_)?base_url\s*=\s*["']([^"']+)["']/gm);
  return [...found].map((match) => match[1] ?? '');
}

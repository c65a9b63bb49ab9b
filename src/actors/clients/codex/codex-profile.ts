import { rm, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Role } from '../../../core/model/role.ts';
import type { Sandbox } from '../../../sandbox/port.ts';
import { type ClientOrder, DESK_NAME } from '../../port.ts';
import type { Effort } from '../../model/model-config.ts';
import { systemText } from '../prompt-text.ts';
import { removePlanted, withHomeFolder } from '../client-home.ts';
import { loginVariable } from '../client-vendor.ts';
import { baseUrl, CODEX, codexFolder, DESK_VARIABLES, deskVariable, type ModelSettings } from './codex-setup.ts';

export interface ProfileWish {
  readonly order: ClientOrder;
  readonly role: Role;
  /** Text that all agents of the run read first. */
  readonly shared: string;
  readonly level: Sandbox['level'];
  readonly environment: NodeJS.ProcessEnv;
  readonly model: string | undefined;
  readonly effort: Effort | undefined;
  readonly settings: ModelSettings;
}

/**
 * The settings of one turn, as TOML. A file instead of words on the command line, which others can read and which are short.
 * Nothing of the project's own settings applies: it could else bring servers, hooks and rights along.
 */
export function profileText(wish: ProfileWish): string {
  const { order, role, environment, settings } = wish;
  const url = baseUrl(environment);
  const words = systemText(wish);
  const own = [
    ...(wish.model === undefined ? [] : [`model = ${toml(wish.model)}`]),
    ...(wish.effort === undefined ? [] : [`model_reasoning_effort = ${toml(effortWord(wish.effort))}`]),
    ...(url === null ? [] : [`model_provider = ${toml(OWN_PROVIDER)}`]),
    ...(words === '' ? [] : [`developer_instructions = ${toml(words)}`]),
    ...(isWebOpen(wish) ? [] : ['web_search = "disabled"']),
    `sandbox_mode = ${toml(sandboxMode(wish))}`,
  ];
  const isGiven = (line: string): boolean => own.some((each) => nameOf(each) === nameOf(line));
  return [
    ...settings.top.split('\n').filter((line) => line !== '' && !isGiven(line)),
    ...own,
    ...ALWAYS,
    `shell_environment_policy = { exclude = [${[...SECRETS, ...settings.variables].map(toml).join(', ')}] }`,
    ...(url === null ? [] : providerTable(url, loginVariable(CODEX, environment))),
    settings.tables,
    ...writableTable(order),
    `[projects.${toml(order.place.folder)}]`,
    'trust_level = "untrusted"',
    ...deskTable(order),
    '[features]',
    ...featuresOf(role).map(([name, isOn]) => `${name} = ${isOn}`),
    '',
  ].join('\n');
}

const effortWord = (effort: Effort): string => (effort === 'off' ? 'none' : effort);

const OWN_PROVIDER = 'troupe_endpoint';

const nameOf = (line: string): string => line.split('=')[0]?.trim() ?? '';

/** A JSON string is one of TOML too, but for what JSON lets pass raw. */
export const toml = (value: string): string => JSON.stringify(value.toWellFormed()).replaceAll('\u007F', '\\u007f');

/** A login shell would forget the search path that belongs to the workspace. */
const ALWAYS = [
  'approval_policy = "never"',
  'check_for_update_on_startup = false',
  'allow_login_shell = false',
  'history = { persistence = "none" }',
  'analytics = { enabled = false }',
  'feedback = { enabled = false }',
];

/** Keys and tokens are nothing for commands. */
const SECRETS = ['OPENAI_*', 'CODEX_*_KEY', '*_API_KEY', `${DESK_VARIABLES}*`];

/** Our own box is the sandbox, and within it the client could not build another one; without a box it has its own. */
function sandboxMode({ level, order }: ProfileWish): string {
  if (level !== 'none') return 'danger-full-access';
  return order.mode === 'write' ? 'workspace-write' : 'read-only';
}

function writableTable({ place, network }: ClientOrder): readonly string[] {
  const roots = place.folders.filter(({ access }) => access === 'write').map(({ path }) => toml(path));
  return ['[sandbox_workspace_write]', `writable_roots = [${roots.join(', ')}]`, `network_access = ${network}`];
}

/** The engine decides on retries, and knows of them. */
function providerTable(url: string, variable: string | undefined): readonly string[] {
  return [
    `[model_providers.${OWN_PROVIDER}]`,
    `name = ${toml(URL.parse(url)?.host ?? 'endpoint')}`,
    `base_url = ${toml(url)}`,
    variable === undefined ? 'requires_openai_auth = true' : `env_key = ${toml(variable)}`,
    'wire_api = "responses"',
    'request_max_retries = 1',
    'stream_max_retries = 1',
  ];
}

/** Without it there is no turn; and it may check for long before it answers. */
function deskTable({ desk, limits }: ClientOrder): readonly string[] {
  if (desk === null) return [];
  const headers = Object.keys(desk.headers).map((name, index) => `${toml(name)} = ${toml(deskVariable(index))}`);
  return [
    `[mcp_servers.${DESK_NAME}]`,
    `url = ${toml(desk.url)}`,
    `env_http_headers = { ${headers.join(', ')} }`,
    'default_tools_approval_mode = "approve"',
    'required = true',
    `tool_timeout_sec = ${Math.ceil(limits.wallMs / 1000)}`,
  ];
}

function isWebOpen({ order, role }: ProfileWish): boolean {
  return order.network && mayUse(role, 'web_search') && !(role.ask ?? []).some((name) => name.startsWith('web_'));
}

const mayUse = ({ includedTools, excludedTools }: Role, name: string): boolean =>
  (includedTools === null || includedTools.includes(name)) && !excludedTools.includes(name);

/** Turns off features that would bypass the engine or contact the vendor without need. */
function featuresOf(role: Role): readonly (readonly [string, boolean])[] {
  const off = ['plugins', 'apps', 'hooks', 'goals', 'memories', 'image_generation', 'unbounded_connection_retries'];
  const hasMinions = mayUse(role, 'task') && !(role.ask ?? []).includes('task');
  return [...off, ...(hasMinions ? [] : ['multi_agent'])].map((name) => [name, false]);
}

/** The settings of a turn, where the client finds them by their name. */
export interface TurnProfile {
  readonly name: string;
  remove(): Promise<void>;
}

/** Removes the settings that an earlier turn left: they would apply to every agent of the run. */
export async function writeTurnProfile(home: string, name: string, text: string): Promise<TurnProfile> {
  const way = [basename(codexFolder(home))];
  const file = `${name}.config.toml`;
  await removePlanted(home, { way, names: CODEX_SETTINGS });
  await withHomeFolder(home, way, (folder) => writeFile(folder.at(file), text, { mode: 0o600, flag: 'wx' }));
  return { name, remove: () => withHomeFolder(home, way, (folder) => rm(folder.at(file), { force: true })) };
}

/** Files and folders with settings in its home. */
export const CODEX_SETTINGS = [
  'config.toml',
  'hooks.json',
  'AGENTS.md',
  'AGENTS.override.md',
  'rules',
  'prompts',
  'skills',
];

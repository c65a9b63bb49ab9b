import { realpathSync, statSync } from 'node:fs';
import { isLoopbackAddress } from '../../actors/model/model-config.ts';
import { isSecretName, looksLikeKey } from '../../secrets/secret-value.ts';
import { parseAddress } from '../../journal/journal-address.ts';
import { codeHash } from '../../workspace/reached-files.ts';
import type { McpServerSettings } from '../../tools/mcp/endpoint.ts';
import type { Power } from '../../workspace/trust.ts';
import type { ApiModel, Config } from './config.ts';
import { ACP_PRESET_NAMES } from './choose-actor.ts';
import type { AcpSettings, ActorSettings, ClientSettings } from './actor-settings.ts';
import { isAbsolute, relative, resolve } from 'node:path';

/**
 * Programs and scripts that come with the project can change with it: what those in a command are now is part of what is agreed
 * to. What is the machine's own is known by its path.
 */
function contentOf(command: readonly string[], root: string): string {
  const own = command.map((word) => resolve(root, word)).filter((path) => isFile(path) && isInside(path, root));
  const hashes = own.map((path) => codeHash(path).hash);
  return hashes.length === 0 ? '' : ` (sha256 ${hashes.join(', ')})`;
}

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true;

function isInside(path: string, root: string): boolean {
  return [path, realpathSync(path)].some((each) => {
    const way = relative(root, each);
    return way !== '' && !way.startsWith('..') && !isAbsolute(way);
  });
}

/** The programs that a project's own settings would start as agents. `root`: the project's folder. */
function actorPowers(actors: ActorSettings, root: string): readonly Power[] {
  return [
    ...clientPowers('claude-code', actors['claude-code'], root),
    ...clientPowers('codex', actors.codex, root),
    ...Object.entries(actors.acp ?? {}).map(([name, agent]) => acpPower(name, agent, root)),
  ];
}

/** Their names stay known, so that no other program is used in their place. */
function barred(actors: ActorSettings): ActorSettings {
  const { acp } = actors;
  return {
    ...barredClient('claude-code', actors['claude-code']),
    ...barredClient('codex', actors.codex),
    ...(acp === undefined
      ? {}
      : {
          acp: Object.fromEntries(Object.entries(acp).map(([name, agent]) => [name, { ...agent, isBarred: true }])),
        }),
  };
}

function barredClient(kind: 'claude-code' | 'codex', settings: ClientSettings | undefined): ActorSettings {
  if (settings === undefined) return {};
  const { hosts: _hosts, ...left } = settings;
  return { [kind]: settings.program === undefined ? left : { ...left, isBarred: true } };
}

function clientPowers(kind: string, settings: ClientSettings | undefined, root: string): readonly Power[] {
  const { program, hosts = [] } = settings ?? {};
  const reached: readonly Power[] = hosts.map((host) => ({
    kind: 'address',
    setting: `actors.${kind}.hosts`,
    does: `lets the agent ${kind}, with your login, reach ${host}, also where its role has no network`,
  }));
  if (program === undefined) return reached;
  const login = 'in the sandbox, with the network and your login';
  const does = `runs ${program}${contentOf([program], root)} as the agent ${kind}, ${login}`;
  return [{ kind: 'command', setting: `actors.${kind}.program`, does }, ...reached];
}

function acpPower(name: string, { command, env, hosts = [] }: AcpSettings, root: string): Power {
  const keys = env.length === 0 ? '' : `, and gives it ${env.join(', ')}`;
  const login = (ACP_PRESET_NAMES as readonly string[]).includes(name) ? ' and your login' : '';
  const where = `in the sandbox, with the network${login}`;
  const reached = hosts.length === 0 ? '' : `, and lets it reach ${hosts.join(', ')} also without`;
  const what = `${JSON.stringify(command)}${contentOf(command, root)}`;
  const does = `runs ${what} as the agent acp:${name}, ${where}${keys}${reached}`;
  return { kind: 'command', setting: `actors.acp.${name}`, does };
}

/**
 * What the settings of a project would do with what is the user's: commands that run, keys and words that leave this machine,
 * doors into its own network. A project may come from anybody, so none of it happens before the user has agreed.
 * `root` is the project's folder; without it every program counts as one that comes with the project.
 */
export function powersOf(config: Config, root = '/'): readonly Power[] {
  return [
    ...commandPowers(config),
    ...actorPowers(config.actors, root),
    ...Object.entries(config.models).flatMap(([name, model]) =>
      model.kind === 'api' ? modelPowers(`models.${name}`, model) : [],
    ),
    ...searchPowers(config, root),
    ...Object.entries(config.mcp).map(([name, server]) => serverPower(`mcp.${name}`, server, root)),
    ...config.webAllow.filter(hasPort).map((entry) => ({
      kind: 'address' as const,
      setting: 'web.allow',
      does: `lets agents read from ${entry}, also where that is this machine or its own network`,
    })),
    ...config.workflows.filter(isModule).map(modulePower),
    ...journalPowers(config),
    ...storePowers(config),
    ...config.readable.map((path) => ({
      kind: 'folder' as const,
      setting: 'readable',
      does: `lets commands in the sandbox read ${path}`,
    })),
  ];
}

/** The settings without what they may not do yet. Names of models stay known, so that no other model is used instead. */
export function withoutPowers(config: Config): Config {
  const models = Object.entries(config.models).map(([name, model]) => {
    const isHarmless = model.kind === 'scripted' || modelPowers(name, model).length === 0;
    return [name, isHarmless ? model : { ...model, isBarred: true }] as const;
  });
  const { setup: _setup, ...workspaces } = config.workspaces;
  return {
    ...config,
    models: Object.fromEntries(models),
    actors: barred(config.actors),
    workspaces,
    notify: null,
    readable: [],
    journal: null,
    cluster: null,
    store: null,
    mcp: {},
    webSearch: searchPowers(config).length === 0 ? config.webSearch : null,
    webAllow: config.webAllow.filter((entry) => !hasPort(entry)),
    workflows: config.workflows.filter((path) => !isModule(path)),
  };
}

function commandPowers({ workspaces, notify }: Config): readonly Power[] {
  const { setup } = workspaces;
  return [
    ...(setup === undefined
      ? []
      : [command('setup', `runs \`${setup}\` in every new workspace, in the sandbox and with the network`)]),
    ...(notify === null
      ? []
      : [command('notify', `runs \`${notify}\` as you, without a sandbox, when a run settles or asks`)]),
  ];
}

function journalPowers({ journal, cluster }: Config): readonly Power[] {
  const named = {
    kind: 'address',
    setting: 'cluster',
    does: `opens your shared journal as cluster "${cluster}"`,
  } as const;
  const others = cluster === null ? [] : [named];
  if (journal === null) return others;
  const does = `keeps your runs, with all that agents read and wrote, in ${parseAddress(journal).shown}`;
  return [{ kind: 'address', setting: 'journal', does }, ...others];
}

function storePowers({ store }: Config): readonly Power[] {
  if (store === null) return [];
  const place = isAbsolute(store) ? store : parseAddress(store).shown;
  const does = `puts the files of your runs, and the conversations of agents, into ${place}`;
  return [{ kind: isAbsolute(store) ? 'folder' : 'address', setting: 'store', does }];
}

const command = (setting: string, does: string): Power => ({ kind: 'command', setting, does });

function modelPowers(setting: string, { config, apiKeyEnv }: ApiModel): readonly Power[] {
  const { baseUrl } = config;
  // Without a configured address requests go to the vendor, not to a stranger.
  if (baseUrl === undefined || isLoopbackAddress(baseUrl)) return [];
  const key = apiKeyEnv === null ? '' : ` and the key in ${apiKeyEnv}`;
  return [{ kind: 'address', setting, does: `sends conversations${key} to ${baseUrl}` }];
}

function searchPowers({ webSearch }: Config, root = '/'): readonly Power[] {
  if (webSearch === null) return [];
  const setting = 'web.search';
  if ('url' in webSearch) {
    if (isLoopbackAddress(webSearch.url)) return [];
    return [{ kind: 'address', setting, does: `sends what agents search for to ${webSearch.url}` }];
  }
  const { command: program, url = '', env = [] } = webSearch.mcp;
  if (program !== undefined) {
    const keys = env.length === 0 ? '' : `, and gives it ${env.join(', ')}`;
    return [
      command(
        setting,
        `runs ${JSON.stringify(program)}${contentOf(program, root)} in the sandbox and with the network${keys}`,
      ),
    ];
  }
  return isLoopbackAddress(url) ? [] : [{ kind: 'address', setting, does: `sends what agents search for to ${url}` }];
}

/** Also on this machine: what agents say reaches a service that a stranger chose. */
function serverPower(setting: string, server: McpServerSettings, root: string): Power {
  const { command: program, url = '', env = [], apiKeyEnv, tools, mode } = server;
  const offered = `, and offers ${tools?.join(', ') ?? 'all its tools'} to agents in mode "${mode}" or above`;
  if (program === undefined) {
    const sent = [...(apiKeyEnv === undefined ? [] : [`the key in ${apiKeyEnv}`]), ...headerTexts(server.headers)];
    const also = sent.length === 0 ? '' : ` with ${sent.join(', ')}`;
    return { kind: 'address', setting, does: `sends what agents ask for to ${url}${also}${offered}` };
  }
  const keys = env.length === 0 ? '' : `, gives it ${env.join(', ')}`;
  const does = `runs ${JSON.stringify(program)}${contentOf(program, root)} in the sandbox and with the network${keys}${offered}`;
  return command(setting, does);
}

/** Keys among them are named and not shown. */
const headerTexts = (headers: Readonly<Record<string, string>> = {}): readonly string[] =>
  Object.entries(headers).map(([name, value]) => {
    const isSecret = isSecretName(name) || looksLikeKey(value);
    return `the header ${name}: ${isSecret ? '(not shown)' : value}`;
  });

/** With a port an entry also stands for addresses that are not public. */
const hasPort = (entry: string): boolean => /:\d+$/.test(entry);

const isModule = (path: string): boolean =>
  /\.[cm]?[jt]s$/i.test(path) && statSync(path, { throwIfNoEntry: false })?.isFile() === true;

/** Loading a module runs it, and what it imports; what they are now is part of what is agreed to. */
function modulePower(path: string): Power {
  const { hash, others } = codeHash(path);
  const imported = others === 0 ? '' : `, with ${others} ${others === 1 ? 'file' : 'files'} that it reaches`;
  return { kind: 'code', setting: 'workflows', does: `loads ${path} as code${imported} (sha256 ${hash})` };
}

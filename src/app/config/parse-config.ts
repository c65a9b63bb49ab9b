import { resolve } from 'node:path';
import type { Problem } from '../../core/fault.ts';
import type { Limits } from '../../core/workflow.ts';
import { checked, refusedSource, type Checked } from '../../dialects/source/checked.ts';
import { problemReport } from '../../dialects/source/problem-report.ts';
import { readDocument } from '../../dialects/source/read-document.ts';
import { reportIssues } from '../../dialects/source/schema-problems.ts';
import type { McpServerSettings } from '../../tools/mcp/server-settings.ts';
import type { WebSearchSettings } from '../../tools/web/settings.ts';
import type { WorkspaceSettings } from '../../workspace/port.ts';
import type { ResourceSettings } from '../../workspace/resources/port.ts';
import { toActors } from './actor-settings.ts';
import { EMPTY_CONFIG } from './config.ts';
import type { ApiModel, Config, ModelChoice, RetrySettings, ScriptedModel } from './config.ts';
import { checkPaths } from './check-paths.ts';
import { configSchema, type ConfigFile } from './config-schema.ts';
import type { McpServerFile } from './mcp-schema.ts';
import type { ApiModelFile, ScriptedModelFile } from './model-schema.ts';
import { given, toPrice } from './setting-values.ts';
import type { SearchFile } from './web-schema.ts';

export interface ConfigPlace {
  /** As the author knows it. */
  readonly file: string;
  /** Paths in the file are relative to this folder. */
  readonly folder: string;
}

/** The text of a configuration file as a value, or everything that is wrong with it. */
export function parseConfig(text: string, place: ConfigPlace): Checked<Config> {
  if (isOnlyComments(text)) return checked(EMPTY_CONFIG, []);
  const source = readDocument(text, { file: place.file });
  if (!source.ok) return source;
  const report = problemReport({ file: place.file, locate: source.value.locate });
  const { document } = source.value;
  const parsed = configSchema.safeParse(document);
  if (parsed.success) {
    checkPaths(parsed.data, place.folder, report);
    return checked(toConfig(parsed.data, place.folder), report.told());
  }
  reportIssues(parsed.error.issues, { schema: configSchema, document }, report);
  return refusedSource(report.told().map(withKeyHint));
}

/** Whoever writes a key itself has to learn that it belongs into a variable; and the message must not repeat the key. */
function withKeyHint(problem: Problem): Problem {
  if (problem.code === 'KEY_UNKNOWN' && /"api_?key"/i.test(problem.message)) {
    return { ...problem, hint: 'Did you mean "api_key_env"? It is the name of the variable that holds the key.' };
  }
  if (problem.code !== 'VALUE_INVALID' || !/(?:^|\.)(?:api_key_env|headers\.[^.]+)$/.test(problem.path ?? '')) {
    return problem;
  }
  return { ...problem, message: problem.message.replace(/; it is ".*$/su, '.') };
}

/** A file in which everything is still commented out says nothing, which is no mistake. */
const isOnlyComments = (text: string): boolean => /^(\s*(#.*)?(\n|$))*$/.test(text);

function toConfig(file: ConfigFile, folder: string): Config {
  const paths = (list: string | readonly string[] | undefined): readonly string[] =>
    (typeof list === 'string' ? [list] : (list ?? [])).map((path) => resolve(folder, path));
  return {
    models: toModels(file.models ?? {}, folder),
    actors: toActors(file.actors ?? {}, folder),
    limits: toLimits(file.limits ?? {}),
    retry: toRetry(file.retry ?? {}),
    workflows: paths(file.workflows),
    roles: paths(file.roles),
    excludedTools: file.tools?.exclude ?? [],
    mcp: toServers(file.mcp ?? {}, folder),
    ...toCommands(file),
    workspaces: toWorkspaces(file),
    ...toWeb(file.web ?? {}),
    sandbox: file.sandbox ?? null,
    readable: paths(file.readable),
  };
}

const toCommands = ({ notify, ward }: ConfigFile): Pick<Config, 'notify' | 'ward'> => ({
  notify: notify ?? null,
  ward: ward ?? null,
});

const toModels = (models: NonNullable<ConfigFile['models']>, folder: string): Config['models'] =>
  Object.fromEntries(Object.entries(models).map(([name, model]) => [name, toModel(name, model, folder)]));

function toWorkspaces({ workspaces = {}, setup, resources = {} }: ConfigFile): WorkspaceSettings {
  return {
    ...given('ignored', workspaces.ignored),
    ...given('method', workspaces.method),
    ...given('maxFiles', workspaces.max_files),
    ...given('maxBytes', workspaces.max_bytes),
    ...given('largestFile', workspaces.largest_file),
    ...given('setup', setup),
    resources: resources as ResourceSettings,
  };
}

const toWeb = ({ allow = [], search }: NonNullable<ConfigFile['web']>): Pick<Config, 'webAllow' | 'webSearch'> => ({
  webAllow: allow,
  webSearch: toSearch(search),
});

function toSearch(search: SearchFile | undefined): WebSearchSettings | null {
  if (search?.mcp !== undefined) return { mcp: definedOnly(search.mcp) };
  if (search?.url === undefined) return null;
  return { url: search.url, kind: search.kind ?? 'json', ...given('headers', search.headers) };
}

const toServers = (servers: NonNullable<ConfigFile['mcp']>, folder: string): Config['mcp'] =>
  Object.fromEntries(Object.entries(servers).map(([name, server]) => [name, toServer(server, folder)]));

/** A word that is a path of the project is made absolute: a server is not started in the project's folder. */
function toServer(server: McpServerFile, folder: string): McpServerSettings {
  const command = server.command?.map((word) => (/^\.\.?\//.test(word) ? resolve(folder, word) : word));
  return {
    mode: server.mode ?? 'write',
    ...given('command', command),
    ...given('url', server.url),
    ...given('env', server.env),
    ...given('headers', server.headers),
    ...given('apiKeyEnv', server.api_key_env),
    ...given('tools', server.tools),
    ...given('timeoutMs', seconds(server.timeout_seconds)),
  };
}

function toModel(name: string, model: ApiModelFile | ScriptedModelFile, folder: string): ModelChoice {
  return model.provider === 'scripted' ? toScriptedModel(model, folder) : toApiModel(name, model);
}

const toScriptedModel = (model: ScriptedModelFile, folder: string): ScriptedModel => ({
  kind: 'scripted',
  scenario: resolve(folder, model.scenario),
  ...given('model', model.model),
  ...given('price', model.price && toPrice(model.price)),
});

function toApiModel(name: string, model: ApiModelFile): ApiModel {
  return {
    kind: 'api',
    apiKeyEnv: model.api_key_env ?? null,
    config: {
      name,
      provider: model.provider,
      model: model.model,
      ...given('baseUrl', model.base_url),
      ...given('price', model.price && toPrice(model.price)),
      ...given('headers', model.headers),
      ...given('maxOutputTokens', model.max_output_tokens),
      ...given('window', model.window),
      ...given('temperature', model.temperature),
      ...given('effort', model.effort),
      ...given('caching', model.caching),
      ...given('requestTimeoutMs', seconds(model.request_timeout)),
    },
  };
}

function toLimits(limits: NonNullable<ConfigFile['limits']>): Partial<Limits> {
  return {
    ...given('iterations', limits.max_iterations),
    ...given('toolRounds', limits.max_tool_rounds),
    ...given('durationMs', seconds(limits.max_duration)),
    ...given('tokens', limits.max_tokens),
    ...given('usd', limits.max_usd),
  };
}

const toRetry = (retry: NonNullable<ConfigFile['retry']>): RetrySettings => ({
  ...given('baseMs', retry.base_ms),
  ...given('maxMs', retry.max_ms),
  ...given('tries', retry.tries && definedOnly(retry.tries)),
  ...given('toolTries', retry.tool_tries),
});

type Defined<Fields> = { readonly [Name in keyof Fields]: Exclude<Fields[Name], undefined> };

const definedOnly = <Fields extends object>(fields: Fields): Defined<Fields> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<Fields>;

const seconds = (value: number | undefined): number | undefined => (value === undefined ? undefined : value * 1000);

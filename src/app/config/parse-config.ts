import { resolve } from 'node:path';
import type { Problem } from '../../core/model/fault.ts';
import type { Limits } from '../../core/model/workflow.ts';
import { checked, type Checked, refusedSource } from '../../source/checked.ts';
import { problemReport, type ProblemReport } from '../../source/problem-report.ts';
import { readDocument } from '../../source/read-document.ts';
import { reportIssues } from '../../source/schema-problems.ts';
import type { McpServerSettings } from '../../tools/mcp/endpoint.ts';
import type { WebSearchSettings } from '../../tools/port.ts';
import type { WorkspaceSettings } from '../../workspace/port.ts';
import type { ResourceSettings } from '../../workspace/resources/resources.ts';
import { toActors } from './actor-settings.ts';
import {
  type ApiModel,
  type Config,
  EMPTY_CONFIG,
  type ModelChoice,
  type RetrySettings,
  type ScriptedModel,
} from './config.ts';
import { type ConfigFile, configSchema } from './config-schema.ts';
import type { McpServerFile, SearchFile } from './mcp-schema.ts';
import type { ActorsFile, ApiModelFile, ScriptedModelFile } from './model-schema.ts';
import { given, toPrice } from './setting-values.ts';
import { existsSync } from 'node:fs';
import type { SourcePath } from '../../source/place.ts';

/** Reports missing files and folders that the configuration names: otherwise their content would be skipped silently. */
function checkPaths(file: ConfigFile, folder: string, report: ProblemReport): void {
  for (const key of ['workflows', 'roles'] as const) {
    for (const { path, at } of namedIn(file[key], key)) {
      if (existsSync(resolve(folder, path))) continue;
      report.error('PATH_MISSING', `"${key}" names ${path}, which does not exist.`, {
        path: at,
        hint: `Paths count from ${folder}. Make it, or take it out.`,
      });
    }
  }
  for (const [name, model] of Object.entries(file.models ?? {})) {
    if (model.provider !== 'scripted' || existsSync(resolve(folder, model.scenario))) continue;
    // Only a warning: an unused model does no harm, and using it reports the same error.
    report.warning('PATH_MISSING', `The scenario ${model.scenario} of model "${name}" does not exist.`, {
      path: ['models', name, 'scenario'],
      hint: `Paths count from ${folder}.`,
    });
  }
  checkPrograms(file.actors ?? {}, folder, report);
}

/** Programs of agents, where they are named by a path. Not an error either, for the same reason. */
function checkPrograms({ acp = {}, ...clients }: ActorsFile, folder: string, report: ProblemReport): void {
  const named: readonly (readonly [SourcePath, string | undefined])[] = [
    ...Object.entries(clients).map(([kind, client]) => [['actors', kind, 'program'], client?.program] as const),
    ...Object.entries(acp).map(([name, { command }]) => [['actors', 'acp', name, 'command', 0], command[0]] as const),
  ];
  for (const [path, program] of named) {
    if (program === undefined || !program.includes('/') || existsSync(resolve(folder, program))) continue;
    report.warning('PATH_MISSING', `The agent's program ${program} does not exist.`, {
      path,
      hint: `Paths count from ${folder}.`,
    });
  }
}

function namedIn(
  paths: string | readonly string[] | undefined,
  key: string,
): readonly { readonly path: string; readonly at: SourcePath }[] {
  if (paths === undefined) return [];
  if (typeof paths === 'string') return [{ path: paths, at: [key] }];
  return paths.map((path, index) => ({ path, at: [key, index] }));
}

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
    return checked(toConfig(parsed.data, place.folder), report.sorted());
  }
  reportIssues(parsed.error.issues, { schema: configSchema, document }, report);
  return refusedSource(report.sorted().map(withKeyHint));
}

/** A key that is written out belongs into a variable. The message repeats no key and no password. */
function withKeyHint(problem: Problem): Problem {
  if (problem.code === 'KEY_UNKNOWN' && /"api_?key"/i.test(problem.message)) {
    return { ...problem, hint: 'Did you mean "api_key_env"? It is the name of the variable that holds the key.' };
  }
  if (
    problem.code !== 'VALUE_INVALID' ||
    !/(?:^|\.)(?:api_key_env|headers\.[^.]+|journal|store)$/.test(problem.path ?? '')
  ) {
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
    ...toTexts(file),
    workspaces: toWorkspaces(file),
    ...toWeb(file.web ?? {}),
    sandbox: file.sandbox ?? null,
    readable: paths(file.readable),
  };
}

const toTexts = (file: ConfigFile): Pick<Config, 'notify' | 'ward' | 'journal' | 'cluster' | 'store'> => ({
  notify: file.notify ?? null,
  journal: file.journal ?? null,
  cluster: file.cluster ?? null,
  store: file.store ?? null,
  ward: file.ward ?? null,
});

const toModels = (models: NonNullable<ConfigFile['models']>, folder: string): Config['models'] =>
  Object.fromEntries(Object.entries(models).map(([name, model]) => [name, toModel(name, model, folder)]));

function toWorkspaces({ workspaces = {}, setup, resources = {} }: ConfigFile): WorkspaceSettings {
  const { max_files: maxFiles, max_bytes: maxBytes, largest_file: largestFile, ...rest } = workspaces;
  return given({ ...rest, maxFiles, maxBytes, largestFile, setup, resources: resources as ResourceSettings });
}

const toWeb = ({ allow = [], search }: NonNullable<ConfigFile['web']>): Pick<Config, 'webAllow' | 'webSearch'> => ({
  webAllow: allow,
  webSearch: toSearch(search),
});

function toSearch({ mcp, url, kind = 'json', headers }: SearchFile = {}): WebSearchSettings | null {
  if (mcp !== undefined) return { mcp: given(mcp) };
  return url === undefined ? null : given({ url, kind, headers });
}

const toServers = (servers: NonNullable<ConfigFile['mcp']>, folder: string): Config['mcp'] =>
  Object.fromEntries(Object.entries(servers).map(([name, server]) => [name, toServer(server, folder)]));

/** A word that is a path of the project is made absolute: a server is not started in the project's folder. */
function toServer(server: McpServerFile, folder: string): McpServerSettings {
  const { mode = 'write', api_key_env: apiKeyEnv, timeout_seconds: timeout, ...rest } = server;
  const command = server.command?.map((word) => (/^\.\.?\//.test(word) ? resolve(folder, word) : word));
  return given({ ...rest, mode, command, apiKeyEnv, timeoutMs: seconds(timeout) });
}

function toModel(name: string, model: ApiModelFile | ScriptedModelFile, folder: string): ModelChoice {
  return model.provider === 'scripted' ? toScriptedModel(model, folder) : toApiModel(name, model);
}

const toScriptedModel = ({ scenario, model, price }: ScriptedModelFile, folder: string): ScriptedModel =>
  given({ kind: 'scripted' as const, scenario: resolve(folder, scenario), model, price: price && toPrice(price) });

function toApiModel(name: string, model: ApiModelFile): ApiModel {
  const { api_key_env: apiKeyEnv = null, base_url: baseUrl, request_timeout: timeout, ...others } = model;
  const { max_output_tokens: maxOutputTokens, price: prices, ...rest } = others;
  const [price, requestTimeoutMs] = [prices && toPrice(prices), seconds(timeout)];
  return {
    kind: 'api',
    apiKeyEnv,
    config: given({ name, ...rest, baseUrl, price, maxOutputTokens, requestTimeoutMs }),
  };
}

function toLimits(limits: NonNullable<ConfigFile['limits']>): Partial<Limits> {
  const { max_iterations: iterations, max_tool_rounds: toolRounds, max_tokens: tokens, max_usd: usd } = limits;
  return given({ iterations, toolRounds, durationMs: seconds(limits.max_duration), tokens, usd });
}

function toRetry(retry: NonNullable<ConfigFile['retry']>): RetrySettings {
  const { base_ms: baseMs, max_ms: maxMs, tries, tool_tries: toolTries } = retry;
  return given({ baseMs, maxMs, tries: tries && given(tries), toolTries });
}

const seconds = (value: number | undefined): number | undefined => (value === undefined ? undefined : value * 1000);

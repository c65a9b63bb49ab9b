import type { ModelConfig, Price } from '../../actors/model/model-config.ts';
import type { Definition } from '../../core/model/definition.ts';
import type { Limits, RetryPolicy } from '../../core/model/workflow.ts';
import type { SandboxWish } from '../../sandbox/find-sandbox.ts';
import type { McpServerSettings } from '../../tools/mcp/endpoint.ts';
import type { ToolServices, WebSearchSettings } from '../../tools/port.ts';
import type { WorkspaceSettings } from '../../workspace/port.ts';
import { type ActorSettings, mergeActors } from './actor-settings.ts';

/** The configuration as the rest of the program sees it: user's below project's, paths made absolute. */
export interface Config {
  readonly models: Readonly<Record<string, ModelChoice>>;
  readonly actors: ActorSettings;
  readonly limits: Partial<Limits>;
  readonly retry: RetrySettings;
  /** Files and folders besides `.troupe/workflows`. */
  readonly workflows: readonly string[];
  readonly roles: readonly string[];
  readonly excludedTools: readonly string[];
  /** MCP servers whose tools agents get, by name. */
  readonly mcp: Readonly<Record<string, McpServerSettings>>;
  /** A command run when a run settles or asks. */
  readonly notify: string | null;
  /** The commands by which the engine sees whether work is sound; null: those the project's own files name. */
  readonly ward: readonly string[] | null;
  /** How workspaces are made, and what is leased to them. */
  readonly workspaces: WorkspaceSettings;
  /** Hosts that agents may read from. */
  readonly webAllow: readonly string[];
  readonly webSearch: WebSearchSettings | null;
  /** Null: the platform's own. */
  readonly sandbox: SandboxWish | null;
  /** Folders that every box shows, to be read only. */
  readonly readable: readonly string[];
  /** The address of the journal; null: the file in the home. */
  readonly journal: string | null;
  /** The name of the cluster that the journal belongs to; null: it has none. */
  readonly cluster: string | null;
  /** Where machines share files and conversations; null: where they share the journal. See `storeAddress`. */
  readonly store: string | null;
}

export type RetrySettings = Partial<RetryPolicy> & Pick<Definition, 'toolTries'>;

export type ModelChoice = ApiModel | ScriptedModel;

export interface ApiModel {
  readonly kind: 'api';
  readonly config: Omit<ModelConfig, 'apiKey'>;
  readonly apiKeyEnv: string | null;
  /** Named by a project that is not trusted: nothing is sent to it. */
  readonly isBarred?: boolean;
}

/** Answers from a scenario file, in this process: no key, no network. */
export interface ScriptedModel {
  readonly kind: 'scripted';
  readonly scenario: string;
  readonly model?: string;
  /** Free where none is given. */
  readonly price?: Price;
}

export const EMPTY_CONFIG: Config = {
  models: {},
  actors: {},
  limits: {},
  retry: {},
  workflows: [],
  roles: [],
  excludedTools: [],
  mcp: {},
  notify: null,
  ward: null,
  workspaces: {},
  webAllow: [],
  webSearch: null,
  sandbox: null,
  readable: [],
  journal: null,
  cluster: null,
  store: null,
};

/** The nearer file wins key by key; lists are joined, the nearer first. */
export function mergeConfig(below: Config, above: Config): Config {
  return {
    models: { ...below.models, ...above.models },
    actors: mergeActors(below.actors, above.actors),
    limits: { ...below.limits, ...above.limits },
    retry: { ...below.retry, ...above.retry, tries: { ...below.retry.tries, ...above.retry.tries } },
    workflows: [...above.workflows, ...below.workflows],
    roles: [...above.roles, ...below.roles],
    excludedTools: [...above.excludedTools, ...below.excludedTools],
    mcp: { ...below.mcp, ...above.mcp },
    notify: above.notify ?? below.notify,
    ward: above.ward ?? below.ward,
    workspaces: {
      ...below.workspaces,
      ...above.workspaces,
      resources: { ...below.workspaces.resources, ...above.workspaces.resources },
    },
    webAllow: [...above.webAllow, ...below.webAllow],
    webSearch: above.webSearch ?? below.webSearch,
    sandbox: above.sandbox ?? below.sandbox,
    readable: [...above.readable, ...below.readable],
    journal: above.journal ?? below.journal,
    cluster: above.cluster ?? below.cluster,
    store: above.store ?? below.store,
  };
}

/** Where files and conversations travel by way of; null where this machine is alone. `journal`: the address it was opened by. */
export const storeAddress = ({ store }: Pick<Config, 'store'>, journal: string | null): string | null =>
  journal === null ? null : (store ?? journal);

/** Services for the web tools. */
export function webServices({ webAllow, webSearch }: Config): Pick<ToolServices, 'web' | 'search'> {
  return { web: { allow: webAllow }, ...(webSearch === null ? {} : { search: webSearch }) };
}

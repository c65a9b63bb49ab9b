import type { FaultCode } from '../core/codes/codes.ts';
import type { Json } from '../core/model/json.ts';
import type { ToolSpec } from '../core/model/role.ts';
import type { ProcessOptions, ProcessResult } from '../lib/run-process.ts';
import type { Sandbox } from '../sandbox/port.ts';
import type { Workspace } from '../workspace/port.ts';
import type { Mode, ToolAccess } from './mode.ts';
import type { McpEndpoint } from './mcp/endpoint.ts';

/** Something an agent may do. The engine runs it; the agent only asks. */
export interface Tool {
  readonly spec: ToolSpec;
  /** Decides the modes in which it is available. */
  readonly access: ToolAccess;
  /** The least mode of a role that is offered it, where its access alone would ask for less. */
  readonly leastMode?: Mode;
  /** The origin of a tool that is not part of Troupe. A run records these, and clients get them at their desk. */
  readonly origin?: 'mcp' | 'project';
  /**
   * `safe`: a repetition with the same arguments has the same effect. After a crash an `unsafe` call is reported as unknown, never
   * repeated.
   */
  readonly repeat: 'safe' | 'unsafe';
  /** What a worker must offer for runs whose agents may call it, such as a program that it starts. */
  readonly labels?: readonly string[];
  /** It changes only files of the workspace: restoring them undoes it. */
  readonly onlyFiles?: true;
  /** Whether it can work with what is configured; where it cannot, it is not offered. */
  readonly isUsable?: (services: ToolServices) => boolean;
  run(input: Readonly<Record<string, Json>>, context: ToolContext): Promise<ToolResult>;
}

export interface ToolContext {
  /** The folder the agent works in; nothing outside it is reachable through a tool. */
  readonly folder: string;
  readonly signal: AbortSignal;
  /** The rights of the agent's role; a tool beyond them refuses. Default: all. */
  readonly mode?: Mode;
  /** May commands reach the network? The web tools have separate lists. */
  readonly network?: boolean;
  /** Environment and folders for the programs of a tool besides its working folder: home, temporary files, leased resources. */
  readonly place?: Pick<Workspace, 'environment' | 'folders'>;
  readonly services?: ToolServices;
}

/** An error is returned to the agent, not thrown. */
export interface ToolResult {
  readonly content: string;
  readonly isError: boolean;
  /** The files this call wrote, relative to the folder. */
  readonly changed?: readonly string[];
  /** Why the engine refused it, such as `MODE_READ_ONLY`. Absent for an attempt that failed. */
  readonly refused?: FaultCode;
  /** It failed for a reason that may pass by itself: the same call may come out otherwise a little later. */
  readonly transient?: true;
}

/** Services for tools. Each is optional: a tool without a service it needs says so. */
export interface ToolServices {
  readonly web?: WebService;
  readonly search?: WebSearchSettings;
  /** Without it only servers at an address can be asked. */
  readonly mcp?: McpService;
  readonly knowledge?: KnowledgeService;
  readonly git?: GitService;
  /** Runs a shell command where the agent's commands belong. */
  readonly shell?: ShellService;
  readonly conflicts?: ConflictService;
  readonly changes?: ChangesService;
  readonly outputs?: OutputService;
  readonly progress?: ProgressService;
}

/** Shows what changed in the agent's files since the run began, below a path or everywhere. */
export type ChangesService = (scope: { readonly path: string | null; readonly isStat: boolean }) => Promise<{
  readonly text: string;
  readonly paths: readonly string[];
}>;

/** The outputs that the agent's turn owes. */
export interface OutputService {
  hand(name: string, content: Json): Promise<ToolResult>;
}

export interface ProgressService {
  note(progress: number, message: string): Promise<void> | void;
}

/** Conflicts of the agent's workspace that no marks show. */
export interface ConflictService {
  /** `open`: the paths that are still to be settled. */
  settle(
    path: string,
    take: 'mine' | 'other',
  ): Promise<{ readonly isSettled: boolean; readonly open: readonly string[] }>;
}

/** Settings of `web_fetch`, below `web` in the configuration. */
export interface WebService {
  /** `example.org`, `*.example.org`, `example.org:8443`, `127.0.0.1:8080`. Without a port: 80 and 443. */
  readonly allow: readonly string[];
  readonly maxBytes?: number;
  readonly timeoutMs?: number;
  /** All addresses of a name; the system's resolver when left out. */
  readonly resolve?: (host: string) => Promise<readonly string[]>;
}

/** The environment for programs of agents and projects. */
export interface McpService {
  /** Asked for with the first start. */
  readonly sandbox: () => Promise<Sandbox>;
  /** The project itself, and where the engine keeps its own files. */
  readonly hidden: readonly string[];
  /** The engine's own; listed variables and those named in the settings are passed on. */
  readonly environment: NodeJS.ProcessEnv;
}

export interface KnowledgeService {
  search(folder: string, question: KnowledgeQuestion): Promise<KnowledgeAnswer>;
}

export interface KnowledgeQuestion {
  readonly query: string;
  readonly limit: number;
  readonly signal: AbortSignal;
}

export interface KnowledgeAnswer {
  readonly passages: readonly Passage[];
  readonly documents: number;
  /** Documents that exist and were not looked into, with the reason. */
  readonly leftOut: readonly string[];
}

export interface Passage {
  /** As shown to people. */
  readonly path: string;
  /** The first line of `lines`, counted from 1. */
  readonly line: number;
  readonly heading: string;
  readonly lines: readonly string[];
}

export interface GitService {
  /** Object folders outside the workspace that its repository may borrow from. */
  readonly borrowable?: readonly string[];
  /** For throw-away git folders; cheapest on the workspace's disk. Default: the system's temporary folder. */
  readonly scratch?: string;
  /** How git is started, such as in a sandbox that sees `readable` and nothing else of the user's. */
  readonly run?: (argv: readonly string[], options: GitProcess) => Promise<ProcessResult>;
}

export interface GitProcess extends ProcessOptions {
  /** The folders that git reads besides the system's; `writable` it also writes. */
  readonly readable: readonly string[];
  readonly writable: string;
}

export type ShellService = (command: string, options: ShellOptions) => Promise<ShellAnswer>;

export interface ShellAnswer extends ProcessResult {
  /** Files that the command wrote and that were discarded, since its role may not write. */
  readonly discarded?: readonly string[];
}

export interface ShellOptions {
  readonly folder: string;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly mode: Mode;
  readonly network: boolean;
}

/** The service of `web_search`: `web.search` in the configuration. Chosen by the user, so it may be anywhere. */
export type WebSearchSettings = SearchEndpoint | { readonly mcp: McpSearchSettings };

/** A service that answers a GET with JSON. */
export interface SearchEndpoint {
  /** With `{query}`, and `{count}` if the endpoint takes one. */
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** `json` finds title, address and snippet under the names that the common services use. */
  readonly kind: 'searxng' | 'json';
  readonly timeoutMs?: number;
}

/** A tool of an MCP server: one that is started for the search, or one that answers at an address. */
export interface McpSearchSettings extends McpEndpoint {
  /** The server's tool that searches. */
  readonly tool: string;
}

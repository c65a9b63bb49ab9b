import type { ProjectOrigin } from '../../core/record/files-fact.ts';
import { createFormats } from '../../formats/registry/programs.ts';
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { listsTool, serverIn } from '../../core/model/mcp-names.ts';
import { newRunId } from '../../host/new-run-id.ts';
import { systemClock } from '../../host/system-clock.ts';
import type { RunConditions, World } from '../../host/world.ts';
import { defaultLevel, type SandboxWish } from '../../sandbox/find-sandbox.ts';
import type { Sandbox } from '../../sandbox/port.ts';
import { closestName } from '../../source/closest-name.ts';
import { allTools } from '../../tools/all-tools.ts';
import type { OpenServers } from '../../tools/mcp/server-tools.ts';
import type { McpService, Tool } from '../../tools/port.ts';
import { createClientServices } from '../clients/client-services.ts';
import { type ActorSource, createActorSource } from './actors.ts';
import { type ProgressListener, ProgressTeller } from './progress-teller.ts';
import type { ProjectView } from '../library/project-trust.ts';
import type { OpenStore, Purpose } from './store.ts';
import { knownLevel } from '../config/sandbox-level.ts';
import { suppliedTools } from './supplied.ts';
import { sentTools, toolsOfProject } from './look-at-servers.ts';
import { createWorkbench } from './workbench.ts';
import type { TreeId } from '../../core/model/ids.ts';
import type { SharedStore } from '../../workspace/travel/port.ts';
import { publishTree } from '../../workspace/travel/publish-tree.ts';
import type { SentTools } from '../../workspace/travel/sent-tools.ts';
import { publishingJournal } from './publishing-journal.ts';

export interface WorldOptions extends ProjectView {
  readonly store: OpenStore;
  readonly actors: ActorSource;
  readonly version: string;
  /** For what a person should know and nothing depends on. */
  readonly tell: (sentence: string) => void;
  /** For views the project's own tools are not loaded. */
  readonly purpose: Purpose;
  /** Choices on the command line; an existing run has recorded ones. */
  readonly own?: { readonly sandbox: SandboxWish | null; readonly setup: boolean };
  /** The project of the runs is on another machine. */
  readonly elsewhere?: RunElsewhere | undefined;
}

/** A world that owns files and processes; close it when no run is driven in it any more. */
export interface OpenWorld extends World {
  readonly close: () => Promise<void>;
  /** Called when long work around files begins and ends; returns the undo. */
  readonly onProgress: (listener: ProgressListener) => () => void;
}

/** The real world: the one place where every part is put together. What is not needed at once is loaded later. */
export async function createWorld(options: WorldOptions): Promise<OpenWorld> {
  const { store, version } = options;
  const { secrets } = store;
  const { config } = options.project;
  const progress = new ProgressTeller();
  const shared = options.elsewhere === undefined ? undefined : store.files;
  const clients = createClientServices({ store, actors: config.actors, version, now: () => systemClock.now(), shared });
  const benches = new Benches(options, progress);
  const common: Omit<World, keyof BenchParts> = {
    journal:
      shared === undefined
        ? store.journal
        : publishingJournal(store.journal, { publish: publish(benches, shared), tell: options.tell }),
    secrets,
    clock: systemClock,
    newRunId,
    owner: `${process.pid}/${randomUUID()}`,
    ...(store.shared === undefined ? {} : { worker: `${hostname()}/${process.pid}` }),
    engine: `troupe/${version}`,
    home: store.home,
    clients,
    isolate: async () => {
      const { createIsolate } = await import('../../actors/script/isolate.ts');
      return createIsolate();
    },
    testCommands: () => testCommandsOf(options),
    formats: createFormats({ home: store.home, tell: options.tell }),
    under: async (wanted) => ({ ...common, ...(await benches.under(wanted)) }),
  };
  return {
    ...common,
    ...(await benches.under({ sandbox: null, setup: true })),
    close: async () => {
      await clients.close();
      await benches.close();
    },
    onProgress: (listener) => progress.on(listener),
  };
}

/** From the one store that all workbenches have. */
const publish =
  (benches: Benches, shared: SharedStore) =>
  async (tree: TreeId): Promise<void> => {
    // A record may name files of a run below that another machine has sent.
    if ((await shared.missing([tree])).size === 0) return;
    const { workspaces } = await benches.under({ sandbox: null, setup: true });
    await publishTree(await workspaces.store(''), shared, tree);
  };

/** The parts that depend on sandbox and setup, which may differ between runs of one process. */
type BenchParts = Pick<
  World,
  'actorFor' | 'tools' | 'workspaces' | 'shell' | 'sandbox' | 'hasOverlay' | 'services' | 'holdResources'
>;

/** One workbench for each sandbox and setup that a run wants. */
class Benches {
  readonly #options: WorldOptions;
  readonly #progress: ProgressTeller;
  readonly #made = new Map<string, Promise<BenchParts & { readonly close: () => Promise<void> }>>();

  constructor(options: WorldOptions, progress: ProgressTeller) {
    this.#options = options;
    this.#progress = progress;
  }

  async under({ sandbox, setup }: RunConditions): Promise<BenchParts> {
    const { own, project } = this.#options;
    // By name also where it is the default, so that a run with that name in its terms gets the same workbench.
    const ownLevel = own?.sandbox ?? project.config.sandbox ?? defaultLevel();
    const conditions = {
      sandbox: sandbox === null ? ownLevel : knownLevel(sandbox),
      setup: setup && own?.setup !== false,
    };
    const key = JSON.stringify(conditions);
    const made = this.#made.get(key) ?? this.#make(conditions);
    this.#made.set(key, made);
    const { close: _close, ...parts } = await made;
    return parts;
  }

  async #make(conditions: { readonly sandbox: SandboxWish; readonly setup: boolean }) {
    const options = this.#options;
    // What is wrong with the project's tools is said once a process, not for each workbench.
    const warn = this.#made.size === 0 ? options.tell : (): void => undefined;
    const { openSandbox, hidden, ...bench } = createWorkbench({
      progress: this.#progress,
      home: options.store.home,
      shared: options.store.files,
      elsewhere: options.elsewhere?.origin.id,
      config: options.project.config,
      project: options.project.root,
      environment: options.caller.environment,
      ...conditions,
      tell: options.tell,
    });
    const servers = await serversOf(options, {
      sandbox: openSandbox,
      hidden,
      environment: options.caller.environment,
    });
    for (const problem of servers.problems) warn(problem);
    const { version, store } = options;
    const actorFor = createActorSource(options.actors, { openSandbox, hidden, version, secrets: store.secrets });
    const tools = await toolsOf(options, { openSandbox, warn, ofServers: servers.tools });
    const close = async (): Promise<void> => {
      await servers.close();
      await bench.close();
    };
    return { ...bench, actorFor, tools, close };
  }

  async close(): Promise<void> {
    for (const made of this.#made.values()) await (await made).close();
  }
}

/** The configured checks, else the test commands found in the project. */
async function testCommandsOf({ project, elsewhere }: WorldOptions): Promise<readonly string[]> {
  if (elsewhere !== undefined) return elsewhere.tests;
  if (project.config.ward !== null) return project.config.ward;
  const { findChecks } = await import('../project-checks/find-checks.ts');
  return (await findChecks(project.root)).filter(({ name }) => name === 'test').map(({ command }) => command);
}

type Warn = (sentence: string) => void;

/** Started with the world and ended with it, for those who drive; the tools stay the same as long as it lives (A3). */
async function serversOf(
  { project, purpose, elsewhere }: WorldOptions,
  service: McpService,
): Promise<Pick<OpenServers, 'tools' | 'problems' | 'close'>> {
  const all = Object.entries(project.config.mcp);
  const wanted = elsewhere === undefined ? all : all.filter(([name]) => elsewhere.servers.includes(name));
  if (purpose !== 'drive' || wanted.length === 0) return { tools: [], problems: [], close: () => Promise.resolve() };
  const { openServers } = await import('../../tools/mcp/server-tools.ts');
  return await openServers(Object.fromEntries(wanted), service);
}

interface ToolSources {
  readonly openSandbox: () => Promise<Sandbox>;
  readonly warn: Warn;
  readonly ofServers: readonly Tool[];
}

async function toolsOf(view: WorldOptions, sources: ToolSources): Promise<readonly Tool[]> {
  const { openSandbox, warn, ofServers } = sources;
  const { excludedTools } = view.project.config;
  const isDriving = view.purpose === 'drive';
  const own = isDriving || view.purpose === 'begin' ? await ownToolsOf(view, openSandbox, warn) : [];
  const found = [...allTools, ...own, ...ofServers];
  const all = isDriving ? [...found, ...suppliedTools(view.project.supplied ?? {}, found)] : found;
  if (isDriving) warnOfUnknown(view, all, warn);
  return all.filter((tool) => !listsTool(excludedTools, tool.spec.name));
}

/** A misspelt tool in `tools.exclude` would stay in everybody's hands. */
function warnOfUnknown({ project, elsewhere }: WorldOptions, all: readonly Tool[], warn: Warn): void {
  const names = all.map(({ spec }) => spec.name);
  // On a worker only the servers that the run needs are open.
  const checked = project.config.excludedTools.filter((one) => elsewhere === undefined || serverIn(one) === null);
  for (const name of checked.filter((one) => !names.some((tool) => listsTool([one], tool)))) {
    const hint = closestName(name, names);
    const meant = hint === undefined ? '' : ` Did you mean "${hint}"?`;
    warn(`tools.exclude names "${name}", which is not a tool here.${meant}`);
  }
}

/** The project's own tools run in the sandbox, and only once the person has trusted exactly these files. */
async function ownToolsOf(
  view: WorldOptions,
  openSandbox: () => Promise<Sandbox>,
  warn: Warn,
): Promise<readonly Tool[]> {
  if (view.elsewhere !== undefined) return await sentTools(view, openSandbox);
  const found = await toolsOfProject(view, openSandbox);
  if (found === null) return [];
  const { tools, trust } = found;
  if (trust.state === 'trusted') return tools;
  const why = trust.state === 'changed' ? 'have changed since you trusted them' : 'are not trusted';
  warn(`the tools in .troupe/tools ${why} and stay unused; allow them with: troupe trust`);
  return [];
}

/** A project that is on another machine, as a run of it records it. */
export interface RunElsewhere {
  readonly origin: ProjectOrigin;
  /** The command that makes new workspaces ready: the person who started the run agreed to it. */
  readonly setup: string | undefined;
  /** The commands by which the project is tested. */
  readonly tests: readonly string[];
  /** Its own tools, to which that person agreed too; null if it has none. */
  readonly tools: SentTools | null;
  /** The MCP servers that it needs: agents are offered no others. */
  readonly servers: readonly string[];
}

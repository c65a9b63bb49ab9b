import { join } from 'node:path';
import type { World } from '../../host/world.ts';
import { chooseSandbox, findSandbox, type SandboxWish } from '../../sandbox/find-sandbox.ts';
import type { Sandbox } from '../../sandbox/port.ts';
import { withReadable } from '../../sandbox/open-sandbox.ts';
import { KnowledgeIndex } from '../../tools/knowledge/knowledge-index.ts';
import { createShell } from '../../tools/shell.ts';
import type { GitService } from '../../tools/port.ts';
import { createResources, type Resources } from '../../workspace/resources/resources.ts';
import { workspacesElsewhere } from '../../workspace/travel/elsewhere-workspaces.ts';
import type { SharedStore } from '../../workspace/travel/port.ts';
import { createWorkspaces } from '../../workspace/workspaces.ts';
import { type Config, webServices } from '../config/config.ts';
import { ProgressTeller } from './progress-teller.ts';

export interface WorkbenchOptions {
  /** Where the engine keeps its own files. */
  readonly home: string;
  readonly config: Config;
  /** Where files are found that other machines recorded. */
  readonly shared?: SharedStore | undefined;
  /** The id of a project that is on another machine. */
  readonly elsewhere?: string | undefined;
  /** The project's folder. */
  readonly project: string;
  readonly environment: NodeJS.ProcessEnv;
  /** The requested sandbox; the configured one by default. */
  readonly sandbox?: SandboxWish | null;
  /** False: new workspaces are left without the setup command. */
  readonly setup?: boolean;
  /** For what a person should know and nothing depends on. */
  readonly tell?: (sentence: string) => void;
  /** Called when long work begins and ends. */
  readonly progress?: ProgressTeller;
}

/** Files, commands and what keeps them in: all that touches the machine, put together once. */
export interface Workbench extends Required<
  Pick<World, 'workspaces' | 'shell' | 'sandbox' | 'hasOverlay' | 'services' | 'holdResources'>
> {
  /** For what else has to be kept in. */
  readonly openSandbox: () => Promise<Sandbox>;
  /** Secrets that are hidden from everything in it. */
  readonly hidden: readonly string[];
  readonly close: () => Promise<void>;
}

export function createWorkbench(options: WorkbenchOptions): Workbench {
  const { home, config, environment } = options;
  // Ignored files of the project, such as keys, are no business of an agent that has a copy without them.
  const hidden = options.project === '/' ? [home] : [home, options.project];
  const open = sandboxOnce(home, options.sandbox ?? config.sandbox, config.readable);
  const shell = createShell({ sandbox: open, hidden, environment });
  const knowledge = new KnowledgeIndex({ cacheFolder: join(home, 'knowledge') });
  const progress = options.progress ?? new ProgressTeller();
  const made = createWorkspaces({
    home,
    shared: options.shared,
    settings: options.setup === false ? withoutSetup(config.workspaces) : config.workspaces,
    ...(options.tell === undefined ? {} : { tell: options.tell }),
    runSetup: async (request) => {
      const { command, network, signal = new AbortController().signal, run: _run, ...place } = request;
      const act = () => shell(command, { place, access: 'write', network, signal });
      return await progress.setUp(home, request, act);
    },
  });
  const { elsewhere: id } = options;
  const workspaces = progress.around(id === undefined ? made : workspacesElsewhere(made, { home, id }));
  return {
    openSandbox: open,
    hidden,
    workspaces,
    shell,
    sandbox: async () => (await open()).level,
    hasOverlay: async () => (await open()).hasOverlay,
    services: {
      ...webServices(config),
      mcp: { sandbox: open, hidden, environment },
      knowledge,
      git: { run: gitIn(open, hidden) },
    },
    holdResources: holdAll(createResources({ home, settings: config.workspaces.resources ?? {} })),
    close: async () => {
      await workspaces.close();
      await knowledge.close();
    },
  };
}

function withoutSetup({ setup: _setup, ...settings }: Config['workspaces']): Config['workspaces'] {
  return settings;
}

/** All of them, or none: who is stopped while waiting for the next one gives back those it has. */
function holdAll(resources: Resources): Workbench['holdResources'] {
  return async (names, root, signal) => {
    const releases: (() => Promise<void>)[] = [];
    const releaseAll = async () => {
      for (const release of releases.toReversed()) await release();
    };
    try {
      // In one order for all, so that no two wait for each other.
      for (const name of [...new Set(names)].sort())
        releases.push(await resources.hold(name, { root, workspace: '' }, { signal }));
    } catch (error) {
      await releaseAll();
      throw error;
    }
    return releaseAll;
  };
}

/** Found with the first command, and kept: what works on a machine does not change while it runs. */
function sandboxOnce(home: string, wanted: SandboxWish | null, readable: readonly string[]): () => Promise<Sandbox> {
  let chosen: Promise<Sandbox> | null = null;
  return () => (chosen ??= openSandbox(home, wanted).then((sandbox) => withReadable(sandbox, readable)));
}

async function openSandbox(home: string, wanted: SandboxWish | null): Promise<Sandbox> {
  const found = await findSandbox({ scratch: join(home, 'sandbox'), cacheFile: join(home, 'sandbox.json') });
  return chooseSandbox(found, wanted);
}

/** Git looks at what an agent wrote, so it looks from inside. */
function gitIn(open: () => Promise<Sandbox>, hidden: readonly string[]): NonNullable<GitService['run']> {
  return async (argv, { readable, writable, ...options }) => {
    const box = await open();
    const folders = readable.map((path) => ({ path, access: 'read' as const }));
    return await box.run(argv, {
      ...options,
      folders: [...folders, { path: writable, access: 'write' }],
      hidden,
      network: false,
    });
  };
}

import { randomUUID } from 'node:crypto';
import { systemClock } from '../../host/system-clock.ts';
import type { World } from '../../host/port.ts';
import type { SandboxWish } from '../../sandbox/choose-sandbox.ts';
import type { Sandbox } from '../../sandbox/port.ts';
import { allTools } from '../../tools/all-tools.ts';
import type { Tool } from '../../tools/port.ts';
import { createActorSource, type ActorSource } from './actors.ts';
import { newRunId } from './new-run-id.ts';
import type { ProjectView } from './project-trust.ts';
import type { Store } from './store.ts';
import { createWorkbench } from './workbench.ts';

export interface WorldOptions extends ProjectView {
  readonly store: Store;
  readonly actors: ActorSource;
  readonly version: string;
  /** What the user asked for on the command line. */
  readonly sandbox?: SandboxWish | null;
}

/** A world with files and processes of its own, to be closed when nobody drives in it any more. */
export interface OpenWorld extends World {
  readonly close: () => Promise<void>;
}

/** The real world: the one place where every part is put together. What is not needed at once is loaded later. */
export async function createWorld(options: WorldOptions): Promise<OpenWorld> {
  const { store } = options;
  const { openSandbox, ...workbench } = createWorkbench({
    home: store.home,
    config: options.project.config,
    project: options.project.root,
    environment: options.terminal.environment,
    sandbox: options.sandbox ?? null,
  });
  return {
    journal: store.journal,
    clock: systemClock,
    newRunId,
    owner: `${process.pid}/${randomUUID()}`,
    engine: `troupe/${options.version}`,
    actorFor: createActorSource(options.actors),
    tools: await toolsOf(options, openSandbox),
    isolate: async () => {
      const { createIsolate } = await import('../../actors/script/isolate.ts');
      return createIsolate();
    },
    ...workbench,
  };
}

async function toolsOf(view: WorldOptions, openSandbox: () => Promise<Sandbox>): Promise<readonly Tool[]> {
  const excluded = new Set(view.project.config.excludedTools);
  const all = [...allTools, ...(await ownToolsOf(view, openSandbox))];
  return all.filter((tool) => !excluded.has(tool.spec.name));
}

/** The project's own tools run in the sandbox, and only once the person has trusted exactly these files. */
async function ownToolsOf(view: WorldOptions, openSandbox: () => Promise<Sandbox>): Promise<readonly Tool[]> {
  const { project, terminal, store } = view;
  const { existsSync } = await import('node:fs');
  if (!existsSync(`${project.folder}/tools`)) return [];
  const [{ projectTools }, { ownPackage }] = await Promise.all([
    import('../../tools/project-tools.ts'),
    import('./own-package.ts'),
  ]);
  const { tools, trust } = await projectTools({
    home: store.home,
    project: project.root,
    taken: allTools,
    box: { sandbox: openSandbox, environment: terminal.environment, ownPackage: ownPackage() },
  });
  if (trust.state === 'trusted') return tools;
  const why = trust.state === 'changed' ? 'have changed since you trusted them' : 'are not trusted';
  terminal.stderr.write(`troupe: the tools in .troupe/tools ${why} and stay unused; allow them with: troupe trust\n`);
  return [];
}

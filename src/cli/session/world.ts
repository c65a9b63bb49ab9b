import { randomUUID } from 'node:crypto';
import { systemClock } from '../../host/system-clock.ts';
import type { World } from '../../host/port.ts';
import { allTools } from '../../tools/all-tools.ts';
import type { Tool } from '../../tools/port.ts';
import { runCommand } from '../../tools/run-command.ts';
import { createActorSource, type ActorSource } from './actors.ts';
import { newRunId } from './new-run-id.ts';
import { projectTrust, type ProjectView } from './project-trust.ts';
import type { Store } from './store.ts';

export interface WorldOptions extends ProjectView {
  readonly store: Store;
  readonly actors: ActorSource;
  readonly version: string;
}

/** The real world: the one place where every part is put together. What is not needed at once is loaded later. */
export async function createWorld(options: WorldOptions): Promise<World> {
  const { store } = options;
  return {
    journal: store.journal,
    clock: systemClock,
    newRunId,
    owner: `${process.pid}/${randomUUID()}`,
    engine: `troupe/${options.version}`,
    actorFor: createActorSource(options.actors),
    tools: await toolsOf(options),
    isolate: async () => {
      const { createIsolate } = await import('../../actors/script/isolate.ts');
      return createIsolate();
    },
    folderFor: async (run, project) => {
      const { prepareRunFolder } = await import('../../workspace/run-folder.ts');
      return await prepareRunFolder({ home: store.home, run, project });
    },
    runCommand,
  };
}

async function toolsOf(view: WorldOptions): Promise<readonly Tool[]> {
  const excluded = new Set(view.project.config.excludedTools);
  const all = [...allTools, ...(await ownToolsOf(view))];
  return all.filter((tool) => !excluded.has(tool.spec.name));
}

/** The project's own tools run in this process, so only once the person has trusted exactly these files. */
async function ownToolsOf(view: WorldOptions): Promise<readonly Tool[]> {
  const folder = `${view.project.folder}/tools`;
  const { existsSync } = await import('node:fs');
  if (!existsSync(folder)) return [];
  const { state } = await projectTrust(view);
  if (state === 'trusted') {
    const [{ loadOwnTools }, { offerOwnPackage }] = await Promise.all([
      import('../../tools/own-tools.ts'),
      import('./own-package.ts'),
    ]);
    offerOwnPackage();
    return await loadOwnTools(folder, allTools);
  }
  const why = state === 'changed' ? 'have changed since you trusted them' : 'are not trusted';
  view.terminal.stderr.write(
    `troupe: the tools in .troupe/tools ${why} and stay unused; allow them with: troupe trust\n`,
  );
  return [];
}

import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TreeId } from '../../core/model/ids.ts';
import type { OpenRequest, Workspace, Workspaces } from '../port.ts';
import { workspacePlace } from '../run-place.ts';

export interface Elsewhere {
  /** Where the engine keeps its files. */
  readonly home: string;
  /** The id of the project. */
  readonly id: string;
}

/**
 * The workspaces of a run whose project is on another machine, whatever path its records name. A folder that was left here counts
 * only while the journal names files that it held: otherwise another machine continued since, and the folder is created again.
 */
export function workspacesElsewhere(workspaces: Workspaces, { home, id }: Elsewhere): Workspaces {
  return {
    keepsFiles: workspaces.keepsFiles,
    isElsewhere: true,
    setup: workspaces.setup,
    begin: () => workspaces.begin(id),
    open: async (request) => {
      const history = new FolderHistory(home, request);
      const isNewest = await history.holds(request.tree);
      const opened = await workspaces.open({ ...request, project: id });
      await history.begin(request.tree);
      return withHistory(opened, history, isNewest);
    },
    look: async (request) =>
      (await new FolderHistory(home, request).holds(request.tree))
        ? await workspaces.look({ ...request, project: id })
        : null,
    store: () => workspaces.store(id),
    folderOf: (root, name) => workspaces.folderOf(root, name),
    release: (root, name) => workspaces.release(root, name),
    close: () => workspaces.close(),
  };
}

function withHistory({ found, ...opened }: Workspace, history: FolderHistory, isNewest: boolean): Workspace {
  return {
    ...opened,
    ...(isNewest && found !== undefined ? { found } : {}),
    record: async (changed) => {
      const tree = await opened.record(changed);
      await history.add(tree);
      return tree;
    },
    restore: async (tree) => {
      await opened.restore(tree);
      await history.add(tree);
    },
  };
}

/** The trees that the folder of a workspace has held here since it was opened. Some of them may never have been written down. */
class FolderHistory {
  readonly #file: string;

  constructor(home: string, { root, name }: Pick<OpenRequest, 'root' | 'name'>) {
    this.#file = join(workspacePlace(home, root, name).kept, 'held-trees');
  }

  async holds(tree: TreeId): Promise<boolean> {
    const text = await readFile(this.#file, 'utf8').catch(() => '');
    return text.split('\n').includes(tree);
  }

  async begin(tree: TreeId): Promise<void> {
    await writeFile(this.#file, `${tree}\n`);
  }

  async add(tree: TreeId): Promise<void> {
    await appendFile(this.#file, `${tree}\n`);
  }
}

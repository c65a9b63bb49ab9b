import { Fault } from '../../core/model/fault.ts';
import { treeId } from '../../core/model/ids.ts';
import type { Workspaces } from '../port.ts';

/** One folder for everybody, of which nothing is kept: nothing can be compared, merged or undone, and nothing is copied. */
export function folderOnly(folder: () => Promise<string>): Workspaces {
  return {
    keepsFiles: false,
    begin: () => Promise.resolve({ tree: NO_TREE, source: 'none', files: 0, skipped: [] }),
    open: async ({ name }) => ({
      name,
      folder: await folder(),
      environment: {},
      folders: [],
      // Nothing could be made again.
      isThere: () => Promise.resolve(true),
      record: () => Promise.resolve(NO_TREE),
      restore: () => Promise.resolve(),
    }),
    look: () => Promise.resolve(null),
    store: () => Promise.reject(new Fault('FILES_PRUNED', 'The files of this run are not kept.')),
    folderOf: () => '',
    release: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}

const NO_TREE = treeId('0'.repeat(40));

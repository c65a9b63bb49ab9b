import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TreeId } from '../../core/ids.ts';
import { HeldFolder } from '../../lib/held-folder.ts';
import { walkFolder } from '../../lib/walk-folder.ts';
import type { TreeStore } from '../store/port.ts';
import { isClosed, OPEN_BITS } from './apply-steps.ts';
import { setFolderMode } from './put-entry.ts';
import { putTree } from './put-tree.ts';

/** Puts a tree into a folder of its own, lets the caller's check run there, and removes the folder again, whatever happened. */
export async function verifyTree<Result>(
  store: TreeStore,
  tree: TreeId,
  options: VerifyOptions<Result>,
): Promise<Result> {
  const base = await mkdtemp(join(options.scratch ?? tmpdir(), 'troupe-verify-'));
  try {
    const folder = join(base, 'files');
    await mkdir(folder);
    const also = options.signal === undefined ? {} : { signal: options.signal };
    await putTree(store, tree, { folder, index: join(base, 'index'), ...also });
    return await options.check(folder);
  } finally {
    await removeAll(base);
  }
}

export interface VerifyOptions<Result> {
  /** Runs the user's command there, confined like every other. */
  readonly check: (folder: string) => Promise<Result>;
  /** Where the folder is made; the system's place for temporary files when not said. */
  readonly scratch?: string;
  readonly signal?: AbortSignal;
}

/** The check may have left folders closed for writing, from which nothing can be removed before they are opened. */
async function removeAll(folder: string): Promise<void> {
  const root = await HeldFolder.open(folder);
  try {
    for await (const { folder: parent, name, kind } of walkFolder(root, { tolerant: true })) {
      if (kind === 'folder' && isClosed(Number(parent.lookNow(name)?.mode ?? OPEN_BITS))) {
        await setFolderMode(parent, Buffer.from(name), OPEN_BITS);
      }
    }
  } finally {
    await root.close();
  }
  await rm(folder, { recursive: true, force: true, maxRetries: 3 });
}

import { setImmediate as turn } from 'node:timers/promises';
import { FolderLook } from './folder-look.ts';
import type { FolderPlace, LookedFolders } from './folder-look.ts';
import { QuickPath } from './quick-path.ts';
import type { ListedLine, ListingOptions } from './walk-listing.ts';

/**
 * Lists a folder in this process, by descriptor and without waiting for each call: no program has to be started. Null when
 * something is not simple; other ways tell what it is.
 */
export async function quickListing(folder: string, options: QuickOptions): Promise<readonly ListedLine[] | null> {
  const quick = QuickPath.open(folder);
  if (quick === null) return null;
  let nextTurn = LINES_PER_TURN;
  try {
    const look = new FolderLook(quick, { ...options, folder, looked: options.looked ?? new Map() });
    const folders: FolderPlace[] = [look.root];
    for (let place = folders.pop(); place !== undefined; place = folders.pop()) {
      folders.push(...look.list(place).reverse());
      if (look.lines.length < nextTurn) continue;
      nextTurn = look.lines.length + LINES_PER_TURN;
      await turn();
      options.signal?.throwIfAborted();
    }
    look.finish();
    return look.lines;
  } catch {
    options.signal?.throwIfAborted();
    return null;
  } finally {
    quick.close();
  }
}

export interface QuickOptions extends ListingOptions {
  /** What the last listing saw; kept up to date. */
  readonly looked?: LookedFolders | null;
}

const LINES_PER_TURN = 2000;

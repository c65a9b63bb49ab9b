import { existsSync, statSync, watch, type FSWatcher } from 'node:fs';
import { dirname } from 'node:path';

/** Hears of changes in folders. Nothing is looked at again and again: the system tells. */
export interface FolderWatch {
  /** From now on these, and no others. Of one that is not there the nearest one above it is watched until it is. */
  follow(folders: readonly string[]): void;
  /** Resolves when something has changed since the last time, and then been quiet for a moment. */
  next(): Promise<void>;
  close(): void;
}

/** Editors write a file in several steps: aside, over, and the rights last. */
const QUIET_MS = 80;
/** Somebody who writes without a pause is heard all the same. */
const LONGEST_MS = 1000;

export function watchFolders(): FolderWatch {
  const watchers = new Map<string, Watcher>();
  let wake: () => void = () => undefined;
  let isPending = false;
  let lastAt = 0;
  const heard = (): void => {
    isPending = true;
    lastAt = Date.now();
    wake();
  };
  const drop = (folder: string): void => {
    watchers.get(folder)?.watcher.close();
    watchers.delete(folder);
  };
  return {
    follow(folders) {
      const wanted = new Map(folders.map(nearest).map((folder) => [folder, identityOf(folder)]));
      // One that was removed and made again is another one by the same name, and the old watcher never hears of it.
      for (const [folder, { identity }] of watchers) if (wanted.get(folder) !== identity) drop(folder);
      for (const [folder, identity] of wanted) {
        const watcher = watchers.has(folder) ? null : tryWatch(folder, heard);
        if (watcher === null) continue;
        watchers.set(folder, { watcher, identity });
        watcher.on('error', () => (drop(folder), heard()));
      }
    },
    async next() {
      const { promise, resolve } = Promise.withResolvers<void>();
      wake = resolve;
      if (!isPending) await promise;
      const first = Date.now();
      while (Date.now() - lastAt < QUIET_MS && Date.now() - first < LONGEST_MS) await pause(QUIET_MS);
      isPending = false;
    },
    close() {
      for (const folder of watchers.keys()) drop(folder);
    },
  };
}

interface Watcher {
  readonly watcher: FSWatcher;
  readonly identity: string;
}

function identityOf(folder: string): string {
  const found = statSync(folder, { throwIfNoEntry: false, bigint: true });
  return found === undefined ? '' : `${found.dev}/${found.ino}/${found.birthtimeNs}`;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));

function nearest(folder: string): string {
  let candidate = folder;
  while (!existsSync(candidate) && dirname(candidate) !== candidate) candidate = dirname(candidate);
  return candidate;
}

/** It may be gone by now, or there may be too many: then it is tried again at the next change. */
function tryWatch(folder: string, heard: () => void): FSWatcher | null {
  try {
    return watch(folder, heard);
  } catch {
    return null;
  }
}

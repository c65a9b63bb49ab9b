import { lstat, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { removeFolder, sizeOfFolder } from './remove-folder.ts';

export interface PrunedCaches {
  readonly entries: number;
  readonly bytes: number;
}

/** Removes what setup commands and searches left for the next time, where there was none for long: it can be made anew. */
export async function pruneCaches(
  home: string,
  { now, isDry }: { readonly now: number; readonly isDry: boolean },
): Promise<PrunedCaches> {
  let [entries, bytes] = [0, 0];
  for (const cache of CACHES) {
    for (const name of await readdir(join(home, cache)).catch(() => [])) {
      const path = join(home, cache, name);
      if (now - (await usedAt(path)) < UNUSED_MS) continue;
      const freed = isDry ? await sizeOfFolder(path) : await removeUnused(path, now);
      if (freed === null) continue;
      entries += 1;
      bytes += freed;
    }
  }
  return { entries, bytes };
}

/** Below the engine's home. Whoever uses an entry sets its time. */
const CACHES = ['setup', 'knowledge'];
const UNUSED_MS = 30 * 86_400_000;

/** Under another name first, so that nobody finds it half removed; null when somebody came in between. */
async function removeUnused(path: string, now: number): Promise<number | null> {
  const away = `${path}.unused-${process.pid}`;
  try {
    await rename(path, away);
    if (now - (await usedAt(away)) >= UNUSED_MS) return await removeFolder(away);
    await rename(away, path);
  } catch {
    // Left for the next time.
  }
  return null;
}

/** One that is gone meanwhile needs no more care. */
async function usedAt(path: string): Promise<number> {
  return (await lstat(path).catch(() => null))?.mtimeMs ?? Infinity;
}

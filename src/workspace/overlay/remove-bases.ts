import { readdir, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { UNFINISHED_BASE } from './base-folder.ts';
import { readMark } from './overlay-mark.ts';
import { removeWhole } from '../../sandbox/remove-whole.ts';

/**
 * Removes the bases that no workspace lies upon, and says how many. Never one that was made or used within the hour:
 * somebody may be about to lay a workspace upon it.
 */
export async function removeUnusedBases(home: string, nowMs = Date.now()): Promise<number> {
  const used = await usedBases(home);
  let removed = 0;
  for (const path of await allBases(home)) {
    const stats = await stat(join(home, 'bases', path)).catch(() => null);
    if (stats === null || used.has(path) || stats.mtimeMs > nowMs - GRACE_MS) continue;
    await removeBase(home, path);
    removed += 1;
  }
  return removed;
}

const GRACE_MS = 3_600_000;

/** `<scope>/<tree>`; those that a process left unfinished are among them. */
async function allBases(home: string): Promise<readonly string[]> {
  const paths: string[] = [];
  for (const scope of await namesIn(join(home, 'bases'))) {
    for (const name of await namesIn(join(home, 'bases', scope))) paths.push(`${scope}/${name}`);
  }
  return paths;
}

async function usedBases(home: string): Promise<ReadonlySet<string>> {
  const used = new Set<string>();
  for (const run of await namesIn(join(home, 'runs'))) {
    const kept = join(home, 'runs', run, 'kept');
    for (const name of await namesIn(kept)) {
      const mark = await readMark({ kept: join(kept, name) });
      if (mark !== null) used.add(`${mark.scope}/${mark.base}`);
    }
  }
  return used;
}

const namesIn = (folder: string): Promise<readonly string[]> => readdir(folder).catch(() => []);

/** Under another name first, so that nobody finds it half removed. */
async function removeBase(home: string, path: string): Promise<void> {
  const [scope = '', name = ''] = path.split('/');
  const away = join(home, 'bases', scope, `${UNFINISHED_BASE}${name.replace(UNFINISHED_BASE, '')}`);
  await rename(join(home, 'bases', path), away);
  await removeWhole(away);
}

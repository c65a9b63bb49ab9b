import { randomBytes } from 'node:crypto';
import { lstat, mkdir, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BytePath } from '../byte-path.ts';
import { foldersAbove } from '../ignore/frozen-rules.ts';
import { copyWhole } from './copy-whole.ts';
import { textPath } from './foreign-paths.ts';

/**
 * What setup commands made, by key: `<home>/setup/<key>/` with a list and the files. A cache that is there is whole, since it
 * grows under another name; of two who make the same at once the first one's stays. Says what was brought; null where nothing
 * is kept.
 */
export async function bringFromCache(
  cache: string,
  folder: string,
  signal?: AbortSignal,
): Promise<readonly BytePath[] | null> {
  const now = new Date();
  // Before all else, so that nobody takes it for unused while it is read.
  await utimes(cache, now, now).catch(() => undefined);
  const paths = await readList(cache);
  if (paths === null) return null;
  const brought: BytePath[] = [];
  for (const [at, path] of paths.entries()) {
    if (!(await leadsThroughFolders(folder, path))) continue;
    const to = textPath(folder, path);
    // Half of it may be there from a try that was cut short.
    await rm(to, { recursive: true, force: true });
    await copyWhole(join(cache, 'made', String(at)), to, signal);
    brought.push(path);
  }
  return brought;
}

/** An agent's tree may have a link where the cache had a folder; nothing is written through it. */
async function leadsThroughFolders(folder: string, path: BytePath): Promise<boolean> {
  const looks = foldersAbove(path).map((above) => lstat(textPath(folder, above)).catch(() => null));
  return (await Promise.all(looks)).every((stats) => stats === null || stats.isDirectory());
}

export async function saveToCache(cache: string, made: Made, signal?: AbortSignal): Promise<void> {
  const own = `${cache}.unfinished-${process.pid}-${randomBytes(6).toString('hex')}`;
  await mkdir(join(own, 'made'), { recursive: true, mode: 0o700 });
  try {
    for (const [at, path] of made.paths.entries()) {
      await copyWhole(textPath(made.folder, path), join(own, 'made', String(at)), signal);
    }
    await writeFile(join(own, LIST), `${JSON.stringify(made.paths)}\n`);
    if ((await readList(cache)) === null) await removeDamaged(cache);
    await rename(own, cache);
  } catch (error) {
    await rm(own, { recursive: true, force: true });
    if ((await readList(cache)) === null) throw error;
  }
}

/** Under another name first, so that nobody finds it half removed. */
async function removeDamaged(cache: string): Promise<void> {
  const away = `${cache}.damaged-${randomBytes(6).toString('hex')}`;
  await rename(cache, away).catch(() => undefined);
  await rm(away, { recursive: true, force: true });
}

export interface Made {
  readonly folder: string;
  readonly paths: readonly BytePath[];
}

const LIST = 'list.json';

async function readList(cache: string): Promise<readonly BytePath[] | null> {
  try {
    const paths = JSON.parse(await readFile(join(cache, LIST), 'utf8')) as readonly BytePath[];
    const made = new Set(await readdir(join(cache, 'made')));
    // Somebody cleaned up by hand: what is left is of no use.
    return paths.every((_, at) => made.has(String(at))) ? paths : null;
  } catch {
    return null;
  }
}

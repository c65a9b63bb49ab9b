import { lstatSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { BytePath } from '../byte-path.ts';
import { foldersAbove, isEngineName } from '../ignore/frozen-rules.ts';
import type { TreeEntry } from '../store/port.ts';

/**
 * The topmost paths of a folder that a tree knows nothing of, such as installed packages; none of the engine's own names. A
 * folder without a file in it is none: whoever works there later would lose what they put into it.
 */
export async function foreignPaths(folder: string, known: ReadonlySet<BytePath>): Promise<readonly BytePath[]> {
  const found: BytePath[] = [];
  const walk = async (below: BytePath): Promise<void> => {
    for (const { path, isFolder } of await listedIn(folder, below)) {
      if (isEngineName(path)) continue;
      if (known.has(path)) {
        if (isFolder) await walk(path);
      } else if (!isFolder || (await hasFiles(folder, path))) found.push(path);
    }
  };
  await walk('');
  return found;
}

/** All that the tree has, the folders above its entries among it. */
export function knownPaths(entries: ReadonlyMap<BytePath, TreeEntry>): ReadonlySet<BytePath> {
  const known = new Set<BytePath>(entries.keys());
  for (const path of entries.keys()) for (const above of foldersAbove(path)) known.add(above);
  return known;
}

interface Listed {
  readonly path: BytePath;
  readonly isFolder: boolean;
}

/** What stands directly in a folder. */
export async function listedIn(folder: string, below: BytePath): Promise<readonly Listed[]> {
  const entries = await readdir(wholePath(folder, below), { withFileTypes: true, encoding: 'buffer' });
  return entries.map((entry) => {
    const name = entry.name.toString('latin1');
    return { path: below === '' ? name : `${below}/${name}`, isFolder: entry.isDirectory() };
  });
}

async function hasFiles(folder: string, below: BytePath): Promise<boolean> {
  const entries = await listedIn(folder, below);
  if (entries.some(({ isFolder }) => !isFolder)) return true;
  for (const { path } of entries) if (await hasFiles(folder, path)) return true;
  return false;
}

export function isFolderAt(folder: string, path: BytePath): boolean {
  return lstatSync(wholePath(folder, path), { throwIfNoEntry: false })?.isDirectory() === true;
}

export function wholePath(folder: string, path: BytePath): Buffer {
  return Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(path, 'latin1')]);
}

/** Names that are not text cannot be told to other programs. */
export function isText(path: BytePath): boolean {
  const bytes = Buffer.from(path, 'latin1');
  return Buffer.from(bytes.toString('utf8')).equals(bytes);
}

export function textPath(folder: string, path: BytePath): string {
  return join(folder, Buffer.from(path, 'latin1').toString('utf8'));
}

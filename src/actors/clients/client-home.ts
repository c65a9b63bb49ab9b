import { mkdir, rm, unlink } from 'node:fs/promises';
import { HeldFolder } from '../../lib/held-folder.ts';

/**
 * Holds a folder of a client's home while `use` works in it, and creates it if missing. The client and its programs write in its home:
 * anything put in the place of a folder is removed, and no link is ever followed.
 */
export async function withHomeFolder<T>(
  home: string,
  names: readonly string[],
  use: (folder: HeldFolder) => Promise<T>,
): Promise<T> {
  let folder = await HeldFolder.open(home);
  try {
    for (const name of names) {
      const above = folder;
      folder = await folderBelow(above, name);
      await above.close();
    }
    return await use(folder);
  } finally {
    await folder.close();
  }
}

async function folderBelow(above: HeldFolder, name: string): Promise<HeldFolder> {
  const found = await above.look(name);
  if (found !== null && !found.isDirectory()) await unlink(above.at(name));
  return await above.child(name, { create: true });
}

/**
 * Removes settings from a folder of a client's home. None of them are the engine's: an agent left them there in an earlier turn, and
 * they would apply to the next.
 */
export async function removePlanted(
  home: string,
  { way, names }: { readonly way: readonly string[]; readonly names: readonly string[] },
): Promise<void> {
  await withHomeFolder(home, way, async (folder) => {
    // Node removes no folder by a path of bytes.
    const remove = (each: string): Promise<void> => rm(folder.at(each).toString(), { recursive: true, force: true });
    await Promise.all(names.map(remove));
  });
}

/** Next to a client's home and never lent to it: the engine's notes on the conversations there. */
export const booksOf = (home: string): string => `${home}.books`;

export async function withBooks<T>(home: string, use: (folder: HeldFolder) => Promise<T>): Promise<T> {
  await mkdir(booksOf(home), { recursive: true, mode: 0o700 });
  const folder = await HeldFolder.open(booksOf(home));
  try {
    return await use(folder);
  } finally {
    await folder.close();
  }
}

/** Next to a client's home too: prefix of the folder of one turn, lent to its box alone. */
export const turnFolder = (home: string): string => `${home}.turn-`;

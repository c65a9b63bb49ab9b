import { mkdir, rm, unlink } from 'node:fs/promises';
import { HeldFolder } from '../../lib/held-folder.ts';

/**
 * Holds a folder of a client's home while `use` works in it, and makes it where it is missing. The client writes in its home,
 * and so does whatever it runs: what it put in the place of a folder is removed, and no link is ever followed.
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
 * Removes settings from a folder of a client's home. None of them are the engine's: whatever lies there was left by an agent
 * in an earlier turn, and would apply to the next.
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

/** Beside a client's home and never lent to it: what the engine itself has noted of the conversations there. */
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

/** Beside a client's home too: how the name of a folder begins that is one turn's own, lent to its box alone. */
export const turnFolder = (home: string): string => `${home}.turn-`;

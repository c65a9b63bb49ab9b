import { unlink } from 'node:fs/promises';
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

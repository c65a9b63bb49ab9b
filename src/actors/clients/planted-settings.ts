import { rm } from 'node:fs/promises';
import { withHomeFolder } from './home-folder.ts';

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

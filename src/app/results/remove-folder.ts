import { chmod, lstat, readdir, rm } from 'node:fs/promises';

/** Removes a folder of ours with all that agents left in it, and says how many bytes that were. */
export async function removeFolder(folder: string): Promise<number> {
  const bytes = await spaceOf(Buffer.from(folder), true);
  await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  return bytes;
}

/** How much of the disk a folder takes up. */
export const sizeOfFolder = (folder: string): Promise<number> => spaceOf(Buffer.from(folder), false);

/** A name need not be text. A folder that its owner may not enter is opened first where it is to go. */
async function spaceOf(path: Buffer, mayOpen: boolean): Promise<number> {
  const stats = await lstat(path).catch(() => null);
  if (stats === null) return 0;
  const own = stats.blocks * BLOCK_BYTES;
  if (!stats.isDirectory()) return own;
  if (mayOpen && (stats.mode & OPEN) !== OPEN) await chmod(path, OPEN);
  let bytes = own;
  for (const name of await readdir(path, { encoding: 'buffer' }).catch(() => [])) {
    bytes += await spaceOf(Buffer.concat([path, SLASH, name]), mayOpen);
  }
  return bytes;
}

const BLOCK_BYTES = 512;
const OPEN = 0o700;
const SLASH = Buffer.from('/');

import { createHash, randomBytes } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { copyFile, lstat, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/**
 * Brings a large file of the project into a new workspace as shared blocks, where the disk can: that takes no space, and
 * writing to one of the two leaves the other as it was. False when the file is not what the tree says, or small. Never a
 * hard link, through which an agent could write into the user's file.
 */
export async function cloneLargeFile(from: Buffer, to: Buffer, blob: string): Promise<boolean> {
  const stats = await lstat(from).catch(() => null);
  if (stats?.isFile() !== true || stats.size < LARGE_BYTES) return false;
  try {
    await copyFile(from, to, SHARED);
  } catch {
    return false;
  }
  if ((await blobOfFile(to)) === blob) return true;
  await rm(to);
  return false;
}

/** Below this a copy is as fast. */
const LARGE_BYTES = 1024 * 1024;
const SHARED = constants.COPYFILE_FICLONE_FORCE + constants.COPYFILE_EXCL;

/** The name git gives to a content. */
export async function blobOfFile(path: Buffer): Promise<string> {
  const { size } = await lstat(path);
  const hash = createHash('sha1').update(`blob ${size}\0`);
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

/** Tried with a file of our own; across two disks it never works. */
export async function canShareBlocks(project: string, folder: string): Promise<boolean> {
  const [one, other] = await Promise.all([lstat(project).catch(() => null), lstat(folder)]);
  if (one?.dev !== other.dev) return false;
  const probe = join(dirname(folder), `probe-${randomBytes(6).toString('hex')}`);
  try {
    await writeFile(probe, 'x'.repeat(8192), { mode: 0o600 });
    await copyFile(probe, `${probe}~`, SHARED);
    return true;
  } catch {
    return false;
  } finally {
    await Promise.all([rm(probe, { force: true }), rm(`${probe}~`, { force: true })]);
  }
}

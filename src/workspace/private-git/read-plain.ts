import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

/** A regular file of a repository's own folder; null when there is none. A link there would choose what an agent gets to read. */
export async function readPlain(path: string): Promise<Buffer | null> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(() => null);
  if (file === null) return null;
  try {
    return (await file.stat()).isFile() ? await file.readFile() : null;
  } finally {
    await file.close();
  }
}

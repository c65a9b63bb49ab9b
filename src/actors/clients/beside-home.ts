import { mkdir } from 'node:fs/promises';
import { HeldFolder } from '../../lib/held-folder.ts';

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

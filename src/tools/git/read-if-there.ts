import { PathRefused } from '../../lib/confined-path.ts';
import { readHeldFile } from '../../lib/held-file.ts';
import type { HeldFolder } from '../../lib/held-folder.ts';

/** A file below a held folder; empty when there is none. Links on the way or at the end are refused. */
export async function readIfThere(folder: HeldFolder, names: readonly string[], maxBytes: number): Promise<Buffer> {
  const [name, ...rest] = names;
  if (name === undefined) return Buffer.alloc(0);
  try {
    if (rest.length === 0) return await readHeldFile(folder, name, { maxBytes });
    const child = await folder.child(name);
    try {
      return await readIfThere(child, rest, maxBytes);
    } finally {
      await child.close();
    }
  } catch (error) {
    if (error instanceof PathRefused && error.reason === 'missing') return Buffer.alloc(0);
    throw error;
  }
}

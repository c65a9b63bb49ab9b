import { createHash } from 'node:crypto';
import { readlink } from 'node:fs/promises';
import { PathRefused, shownPath, splitPath, type RefusalReason } from '../../../lib/confined-path.ts';
import { openHeldFile } from '../../../lib/held-file.ts';
import { withFolder, type HeldFolder } from '../../../lib/held-folder.ts';
import { staysInside } from '../../../workspace/byte-path.ts';
import { CONTROL_FOLDERS, fileIn } from '../../../tools/folder-access.ts';

/** A path of a workspace as it is now. */
export type SeenFile =
  | { readonly kind: 'file'; readonly path: string; readonly hash: string; readonly bytes: number }
  | { readonly kind: 'none'; readonly why: string; readonly isOutside: boolean };

/** Reads a file without following a link; `path` in the result has the normal spelling. */
export async function seeFile(root: string, path: string): Promise<SeenFile> {
  try {
    const names = splitPath(path, { reserved: CONTROL_FOLDERS });
    const { parents, name } = fileIn(names, path);
    return await withFolder({ root, names: parents }, (folder) => seeIn(folder, name, names.join('/')));
  } catch (error) {
    if (!(error instanceof PathRefused)) throw error;
    return { kind: 'none', why: whyNot(error, path), isOutside: leavesWorkspace(error) };
  }
}

/** By name or through a link they lead out of the workspace, or to files that no agent may write. */
const LEAVES: ReadonlySet<RefusalReason> = new Set([
  'absolute',
  'home',
  'backslash',
  'nul',
  'parent',
  'encoded',
  'reserved',
  'link',
]);

export const leavesWorkspace = ({ reason }: PathRefused): boolean => LEAVES.has(reason);

async function seeIn(folder: HeldFolder, name: string, path: string): Promise<SeenFile> {
  if ((await folder.look(name))?.isSymbolicLink() === true) return await seeLink(folder, name, path);
  const handle = await openHeldFile(folder, name);
  try {
    const hash = createHash('sha256');
    let bytes = 0;
    for await (const piece of handle.createReadStream({ autoClose: false }) as AsyncIterable<Buffer>) {
      hash.update(piece);
      bytes += piece.length;
    }
    return { kind: 'file', path, hash: hash.digest('hex'), bytes };
  } finally {
    await handle.close();
  }
}

async function seeLink(folder: HeldFolder, name: string, path: string): Promise<SeenFile> {
  const target = await readlink(folder.at(name), 'latin1');
  const why = `${shownPath(path)} is a symbolic link, which is not followed.`;
  return { kind: 'none', why, isOutside: !staysInside(path, target) };
}

function whyNot(error: PathRefused, path: string): string {
  if (error.reason === 'missing' || error.reason === 'not-a-folder') return `${shownPath(path)} does not exist.`;
  return error.path === path ? error.message : `${shownPath(path)} cannot be looked at: ${error.message}`;
}

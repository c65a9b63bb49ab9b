import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { treeId } from '../../core/ids.ts';
import type { TreeId } from '../../core/ids.ts';
import { isFolder } from '../make-workspace.ts';
import type { WorkspacePlace } from '../run-place.ts';

/** Tells that a workspace is an overlay, and what it lies upon. Stays with it, whatever the settings say later. */
export interface OverlayMark {
  /** The name of the folder in which the bases of its project lie. */
  readonly scope: string;
  readonly base: TreeId;
  /** False while it is being made: cut short there, it is made anew. */
  readonly isWhole: boolean;
}

/** The method decides where there is no workspace; one that is there stays what it is. */
export async function isMadeAsOverlay(place: WorkspacePlace, method: 'copy' | 'overlay'): Promise<boolean> {
  if (await isFolder(place.folder)) return (await readMark(place)) !== null;
  if (method === 'copy') await removeMark(place);
  return method === 'overlay';
}

const MARK_NAME = 'overlay.json';

export async function readMark(place: Pick<WorkspacePlace, 'kept'>): Promise<OverlayMark | null> {
  const text = await readFile(join(place.kept, MARK_NAME), 'utf8').catch(() => null);
  if (text === null) return null;
  try {
    const { scope, base, isWhole } = JSON.parse(text) as { scope: string; base: string; isWhole: boolean };
    return { scope, base: treeId(base), isWhole };
  } catch {
    // Cut short by a full disk: of no use, but an overlay all the same.
    return { scope: '', base: treeId(''), isWhole: false };
  }
}

export async function writeMark({ kept }: WorkspacePlace, mark: OverlayMark): Promise<void> {
  const partial = join(kept, `${MARK_NAME}~`);
  await writeFile(partial, `${JSON.stringify(mark)}\n`, { mode: 0o600 });
  await rename(partial, join(kept, MARK_NAME));
}

export async function removeMark({ kept }: WorkspacePlace): Promise<void> {
  await rm(join(kept, MARK_NAME), { force: true });
}

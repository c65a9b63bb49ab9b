import { join, relative } from 'node:path';
import { isFolder } from '../make-workspace.ts';
import type { WorkspacePlace } from '../run-place.ts';
import { baseOf } from './base-folder.ts';
import { mountView } from './mount-view.ts';
import { readMark } from './overlay-mark.ts';

/**
 * Lets `use` look at all files of a workspace on the disk, however it was made and whoever has it open, without a way to
 * write to it. Null when there is none, or nothing that an overlay lies upon.
 */
export async function lookAtWorkspace<T>(look: OverlayLook, use: (folder: string) => Promise<T>): Promise<T | null> {
  const { home, place } = look;
  if (!(await isFolder(place.folder))) return null;
  const mark = await readMark(place);
  if (mark === null) return await use(place.folder);
  const base = baseOf(join(home, 'bases', mark.scope), mark.base);
  if (!mark.isWhole || !(await isFolder(base.files))) return null;
  const lower = [place.folder, base.files].map((path) => relative(home, path));
  const view = await mountView({ cwd: home, lower, upper: null, folder: place.folder });
  try {
    return await use(view.folder);
  } finally {
    view.close();
  }
}

export interface OverlayLook {
  readonly home: string;
  readonly place: WorkspacePlace;
}

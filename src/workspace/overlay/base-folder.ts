import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TreeId } from '../../core/ids.ts';
import type { BytePath } from '../byte-path.ts';
import { isFolder } from '../make-workspace.ts';
import { plantTree } from '../plant-tree.ts';
import type { EntryStamp } from '../store/entry-stamp.ts';
import type { TreeStore } from '../store/port.ts';
import { removeWhole } from '../../sandbox/remove-whole.ts';

/**
 * The files of a tree as a folder that is never written again: what overlay workspaces lie upon, shared by all that begin with
 * it. Grows under another name, so one that is there is whole; of two who make the same at once the first one's stays.
 */
export async function provideBase(request: BaseRequest): Promise<BaseFolder> {
  const base = baseOf(request.bases, request.tree);
  // Whoever clears away bases leaves alone what was used lately.
  const now = new Date();
  if (await isFolder(base.files)) await utimes(base.place, now, now);
  else await makeBase(base, request);
  return { ...base, seenMs: Date.now() };
}

export interface BaseRequest {
  /** Where the bases of this project lie. */
  readonly bases: string;
  readonly tree: TreeId;
  readonly store: TreeStore;
  readonly project: string;
  readonly signal?: AbortSignal | undefined;
}

export interface BaseFolder {
  readonly tree: TreeId;
  readonly place: string;
  readonly files: string;
  /** Nobody had touched what is in it until then. */
  readonly seenMs: number;
}

export function baseOf(bases: string, tree: TreeId): BaseFolder {
  const place = join(bases, tree);
  return { tree, place, files: join(place, 'files'), seenMs: 0 };
}

async function makeBase({ place }: BaseFolder, { bases, ...request }: BaseRequest): Promise<void> {
  const own = join(bases, `${UNFINISHED_BASE}${process.pid}-${randomBytes(6).toString('hex')}`);
  try {
    await mkdir(own, { recursive: true, mode: 0o700 });
    await mkdir(join(own, 'files'));
    const stamps = await plantTree({ ...request, folder: join(own, 'files') });
    await writeFile(join(own, STAMPS), [...stamps].map(([path, stamp]) => `${stamp}\t${path}`).join('\0'), 'latin1');
    await rename(own, place);
  } catch (error) {
    await removeWhole(own);
    if (!(await isFolder(join(place, 'files')))) throw error;
  }
}

export const UNFINISHED_BASE = 'unfinished-';
const STAMPS = 'stamps';

/** What the store would see in a view of the base, since the overlay hands on the numbers and times of what lies below. */
export async function stampsOf({ place }: BaseFolder): Promise<ReadonlyMap<BytePath, EntryStamp>> {
  const text = await readFile(join(place, STAMPS), 'latin1').catch(() => '');
  const lines = text === '' ? [] : text.split('\0');
  return new Map(
    lines.map((line) => {
      const tab = line.indexOf('\t');
      return [line.slice(tab + 1), line.slice(0, tab)];
    }),
  );
}

import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TreeId, treeId } from '../../core/model/ids.ts';
import { type BytePath, foldersAbove } from '../byte-path.ts';
import { isFolder, type OverlayRequest } from '../make-workspace.ts';
import { plantTree } from '../plant-tree.ts';
import type { EntryStamp } from '../store/entry-stamp.ts';
import type { LeaveOut, TreeChange } from '../store/port.ts';
import { removeWhole } from '../../sandbox/scratch-folders.ts';
import type { WorkspacePlace } from '../run-place.ts';

/**
 * The files of a tree as a folder that is never written again: what overlay workspaces lie upon, shared by all that begin with
 * it. Grows under another name, so one that is there is whole; of two who make the same at once the first one's stays.
 */
export async function provideBase(request: BaseRequest): Promise<BaseFolder> {
  const base = baseOf(request.bases, request.tree);
  // Pruning keeps bases that were used lately.
  const now = new Date();
  if (await isFolder(base.files)) await utimes(base.place, now, now);
  else await makeBase(base, request);
  return { ...base, seenMs: Date.now() };
}

type BaseRequest = Pick<OverlayRequest, 'bases' | 'tree' | 'store' | 'project' | 'signal'>;

export interface BaseFolder {
  readonly tree: TreeId;
  readonly place: string;
  readonly files: string;
  /** Its files were unchanged until then. */
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

const UNFINISHED_BASE = 'unfinished-';
const STAMPS = 'stamps';

/** The stamps of a view of the base: an overlay shows the inode numbers and times of the layer below. */
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

/**
 * What a new workspace is to lie upon: the tree itself if it is there already, else one that is there and differs little, so
 * that a file changed between two runs does not cost a folder with all the others. The difference is written on top.
 */
export async function chooseBase(
  choice: Pick<OverlayRequest, 'bases' | 'tree' | 'began' | 'store' | 'leaveOut'>,
): Promise<TreeId> {
  const { tree, began } = choice;
  const there = await basesIn(choice.bases);
  if (there.includes(tree)) return tree;
  for (const candidate of new Set([...there.slice(0, MAX_TRIED), began])) {
    if (candidate !== tree && (await isNear(candidate, choice))) return candidate;
  }
  return tree;
}

const MAX_TRIED = 3;
/** Below this, writing the difference is certain to be faster than a folder with everything. */
const MAX_CHANGES = 200;

/** The one used last first. */
async function basesIn(bases: string): Promise<readonly TreeId[]> {
  const names = (await readdir(bases).catch(() => [])).filter((name) => /^[0-9a-f]+$/.test(name));
  const used = await Promise.all(names.map(async (name) => (await stat(join(bases, name)).catch(() => null))?.mtimeMs));
  return names
    .map((name, at) => ({ name, usedMs: used[at] ?? 0 }))
    .sort((a, b) => b.usedMs - a.usedMs)
    .map(({ name }) => treeId(name));
}

async function isNear(
  base: TreeId,
  { tree, store, leaveOut }: Pick<OverlayRequest, 'bases' | 'tree' | 'began' | 'store' | 'leaveOut'>,
): Promise<boolean> {
  if (!(await store.has(base))) return false;
  const changes = await store.compare(base, tree);
  return changes.length <= MAX_CHANGES && changes.every((change) => isSeen(change, leaveOut));
}

/** Ignores paths that are left out, since restoring never touches them. */
function isSeen({ path, before, after }: TreeChange, leaveOut: LeaveOut): boolean {
  const isFolder = (before ?? after)?.kind === 'folder';
  return !leaveOut(path, isFolder) && foldersAbove(path).every((folder) => !leaveOut(folder, true));
}

/**
 * Removes the bases that no workspace lies upon, and says how many. Never one that was made or used within the hour:
 * somebody may be about to lay a workspace upon it.
 */
export async function removeUnusedBases(home: string, nowMs = Date.now()): Promise<number> {
  const used = await usedBases(home);
  let removed = 0;
  for (const path of await allBases(home)) {
    const stats = await stat(join(home, 'bases', path)).catch(() => null);
    if (stats === null || used.has(path) || stats.mtimeMs > nowMs - GRACE_MS) continue;
    await removeBase(home, path);
    removed += 1;
  }
  return removed;
}

const GRACE_MS = 3_600_000;

/** `<scope>/<tree>`; those that a process left unfinished are among them. */
async function allBases(home: string): Promise<readonly string[]> {
  const paths: string[] = [];
  for (const scope of await namesIn(join(home, 'bases'))) {
    for (const name of await namesIn(join(home, 'bases', scope))) paths.push(`${scope}/${name}`);
  }
  return paths;
}

async function usedBases(home: string): Promise<ReadonlySet<string>> {
  const used = new Set<string>();
  for (const run of await namesIn(join(home, 'runs'))) {
    const kept = join(home, 'runs', run, 'kept');
    for (const name of await namesIn(kept)) {
      const mark = await readMark({ kept: join(kept, name) });
      if (mark !== null) used.add(`${mark.scope}/${mark.base}`);
    }
  }
  return used;
}

const namesIn = (folder: string): Promise<readonly string[]> => readdir(folder).catch(() => []);

/** Renames it first, so that no process finds it half removed. */
async function removeBase(home: string, path: string): Promise<void> {
  const [scope = '', name = ''] = path.split('/');
  const away = join(home, 'bases', scope, `${UNFINISHED_BASE}${name.replace(UNFINISHED_BASE, '')}`);
  await rename(join(home, 'bases', path), away);
  await removeWhole(away);
}

/** Tells that a workspace is an overlay, and what it lies upon. Stays with it, whatever the settings say later. */
export interface OverlayMark {
  /** The name of the folder in which the bases of its project lie. */
  readonly scope: string;
  readonly base: TreeId;
  /** False while it is being made: cut short there, it is created again. */
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
    // Cut short by a full disk: unusable, but still an overlay.
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

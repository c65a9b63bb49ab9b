import { randomBytes } from 'node:crypto';
import { lstat, mkdir, readdir, rename, rm, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { TreeId } from '../core/model/ids.ts';
import { plantTree } from './plant-tree.ts';
import type { GitFacts } from './private-git/git-facts.ts';
import { makePrivateGit } from './private-git/make-private-git.ts';
import type { WorkspacePlace } from './run-place.ts';
import { SETUP_MARK } from './setup/made-paths.ts';
import type { LeaveOut, TreeStore, Written } from './store/port.ts';

/**
 * The folder of a workspace with exactly the files of a tree. A new one grows under another name and is renamed when it is
 * complete, so a folder that is there is whole. Says what one that was there held before.
 */
export async function provideFolder(request: FolderRequest): Promise<TreeId | null> {
  const { place } = request;
  await removeUnfinished(place.kept);
  if (await isFolder(place.folder)) {
    const found = await restoreFolder(request);
    if (!(await isThere(join(place.folder, '.git')))) await addGit(place.folder, request);
    return found;
  }
  const written = await growFolder(request);
  // Only now: it is known by its place.
  await request.store.remember(request.tree, place.folder, written);
  return null;
}

async function growFolder(request: FolderRequest): Promise<Written> {
  const { place } = request;
  const unfinished = join(place.kept, `${UNFINISHED}${randomBytes(6).toString('hex')}`);
  await mkdir(unfinished);
  try {
    const stamps = await plantTree({ ...request, folder: unfinished });
    await addGit(unfinished, request);
    // Nothing that is not a folder can be work of ours.
    await unlink(place.folder).catch(() => undefined);
    await rm(join(place.kept, SETUP_MARK), { force: true });
    await mkdir(dirname(place.folder), { recursive: true, mode: 0o700 });
    const aloneUntilMs = Date.now();
    await rename(unfinished, place.folder);
    return { index: place.index, stamps, aloneUntilMs };
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  }
}

export interface FolderRequest {
  readonly place: WorkspacePlace;
  readonly project: string;
  /** Null where the project is no git project. */
  readonly facts: GitFacts | null;
  readonly tree: TreeId;
  readonly store: TreeStore;
  readonly leaveOut: LeaveOut;
  readonly signal?: AbortSignal | undefined;
}

export interface OverlayRequest extends FolderRequest {
  readonly began: TreeId;
  /** Where the bases of this project lie. */
  readonly bases: string;
}

export const UNFINISHED = 'unfinished-';

/** Nothing waits for the disk: after a crash the folder is put back to its tree again. */
async function restoreFolder({ store, tree, place, leaveOut, signal }: FolderRequest): Promise<TreeId> {
  const options = { index: place.index, leaveOut, durable: false };
  const { before } = await store.restore(tree, place.folder, signal === undefined ? options : { ...options, signal });
  return before;
}

/** Made beside the workspace and moved in: what an agent may have put there meanwhile is never written through. */
async function addGit(folder: string, { facts, project, place, store, tree }: FolderRequest): Promise<void> {
  if (facts === null) return;
  const own = join(place.kept, `${UNFINISHED}git-${randomBytes(6).toString('hex')}`);
  await makePrivateGit({ facts, project, folder, own, known: await store.entries(tree) });
  await rename(own, join(folder, '.git'));
}

export async function removeUnfinished(kept: string): Promise<void> {
  const left = (await readdir(kept)).filter((name) => name.startsWith(UNFINISHED));
  await Promise.all(left.map((name) => rm(join(kept, name), { recursive: true, force: true })));
}

/** A link that leads nowhere is there, too. */
export async function isThere(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => null)) !== null;
}

export async function isFolder(path: string): Promise<boolean> {
  const stats = await lstat(path).catch(() => null);
  return stats?.isDirectory() === true;
}

import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { readdir, rm, unlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { treeId, type TreeId } from '../../core/model/ids.ts';
import { errorCode } from '../../lib/held-folder.ts';
import { type ObjectStore, removePacks } from './object-store.ts';
import { PackDraft } from './pack-format.ts';
import { type Pack, writePack } from './pack-folder.ts';
import type { Pruned } from './tree-types.ts';
import { randomBytes } from 'node:crypto';
import { makeFolder } from '../../lib/make-folder.ts';

/** When each tree was last recorded: a file named after it, in a place where git sees it as a reference too. */
export class RecordedTrees {
  readonly #path: string;

  constructor(gitDir: string) {
    this.#path = join(gitDir, 'refs', 'trees');
  }

  async note(tree: TreeId): Promise<void> {
    const path = join(this.#path, tree);
    const now = new Date();
    try {
      await utimes(path, now, now);
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') throw error;
      await writeWhole(path, `${tree}\n`);
    }
  }

  async all(): Promise<readonly { readonly tree: TreeId; readonly recordedMs: number }[]> {
    const names = await readdir(this.#path);
    return names.flatMap((name) => {
      const stats = statSync(join(this.#path, name), { throwIfNoEntry: false });
      return stats === undefined ? [] : [{ tree: treeId(name), recordedMs: stats.mtimeMs }];
    });
  }

  async forget(tree: TreeId): Promise<void> {
    await rm(join(this.#path, tree), { force: true });
  }
}

async function writeWhole(path: string, content: string): Promise<void> {
  try {
    await writeFile(path, content);
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}

/** Removes everything that no wanted tree needs. The caller must be alone with the store. */
export async function sweep(objects: ObjectStore, wanted: Iterable<TreeId>, olderThan: number): Promise<Pruned> {
  objects.refresh();
  objects.forgetTrees();
  const needed = reachable(objects, wanted);
  const isNeeded = (id: string): boolean => needed.has(id);
  const loose = await sweepLoose(objects, isNeeded, olderThan);
  const packed = await sweepPacks(objects, isNeeded, olderThan);
  await sweepLeftovers(objects.packs.path, olderThan);
  objects.refresh();
  return {
    removedObjects: loose.removedObjects + packed.removedObjects,
    freedBytes: loose.freedBytes + packed.freedBytes,
  };
}

/** Removes what only this tree needs, however new it is. The caller must be alone with the store. */
export async function sweepTree(objects: ObjectStore, tree: TreeId, kept: Iterable<TreeId>): Promise<void> {
  objects.refresh();
  objects.forgetTrees();
  const [unwanted, needed] = [reachable(objects, [tree]), reachable(objects, kept)];
  const isNeeded = (id: string): boolean => !unwanted.has(id) || needed.has(id);
  await sweepLoose(objects, isNeeded, Infinity);
  await sweepPacks(objects, isNeeded, Infinity);
  objects.refresh();
  objects.forgetTrees();
}

type IsNeeded = (id: string) => boolean;

function reachable(objects: ObjectStore, trees: Iterable<TreeId>): ReadonlySet<string> {
  const seen = new Set<string>();
  const visit = (id: string): void => {
    if (seen.has(id)) return;
    seen.add(id);
    for (const item of objects.readTree(id)) {
      if (item.mode === '40000') visit(item.id);
      else seen.add(item.id);
    }
  };
  // A tree that is here in part only is not a reason to remove the rest of it.
  for (const tree of trees) if (objects.has(tree)) visit(tree);
  return seen;
}

async function sweepLoose(objects: ObjectStore, isNeeded: IsNeeded, olderThan: number): Promise<Pruned> {
  let [removedObjects, freedBytes] = [0, 0];
  for (const { path, id, bytes, modifiedMs } of objects.loose.all()) {
    const isTwice = id !== null && objects.packs.has(id);
    if (modifiedMs > olderThan || (id !== null && isNeeded(id) && !isTwice)) continue;
    await unlink(path);
    removedObjects += id === null || isNeeded(id) ? 0 : 1;
    freedBytes += bytes;
  }
  return { removedObjects, freedBytes };
}

/**
 * Rewrites packs without their unneeded objects. Packs that can go whole go first and the others one by one, since the disk
 * may be full.
 */
async function sweepPacks(objects: ObjectStore, isNeeded: IsNeeded, olderThan: number): Promise<Pruned> {
  const wasteful = objects.packs.packs
    .filter((pack) => pack.modifiedMs <= olderThan)
    .map((pack) => ({ pack, kept: [...pack.index.ids()].filter(({ id }) => isNeeded(id)) }))
    .filter(({ pack, kept }) => kept.length < pack.index.count)
    .sort((a, b) => a.kept.length - b.kept.length);
  let [removedObjects, freedBytes] = [0, 0];
  for (const { pack, kept } of wasteful) {
    freedBytes += pack.bytes - (await copyObjects(objects.packs.path, pack, kept));
    removedObjects += pack.index.count - kept.length;
    await removePacks([pack]);
  }
  return { removedObjects, freedBytes };
}

interface PlacedObject {
  readonly id: string;
  readonly offset: number;
}

/** Resolves to how many bytes the copy takes. */
async function copyObjects(folder: string, pack: Pack, kept: readonly PlacedObject[]): Promise<number> {
  if (kept.length === 0) return 0;
  const draft = new PackDraft();
  for (const { id, offset } of kept) draft.addPacked(id, pack.readAt(offset));
  await writePack(folder, draft.finish());
  return draft.bytes;
}

/** Removes half-written files of processes that died. */
async function sweepLeftovers(folder: string, olderThan: number): Promise<void> {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const stats = name.startsWith('tmp_') ? statSync(path, { throwIfNoEntry: false }) : undefined;
    if (stats !== undefined && stats.mtimeMs <= olderThan) await unlink(path).catch(() => undefined);
  }
}

/** The few files that make a folder a repository without a work tree. Made by hand, so that no template gets a say. */
export function makeGitDir(gitDir: string): void {
  makeFolder(gitDir, 0o700);
  for (const folder of ['objects/pack', 'objects/info', 'refs/heads', 'refs/trees', 'info']) {
    mkdirSync(join(gitDir, folder), { recursive: true });
  }
  writeOnce(join(gitDir, 'HEAD'), 'ref: refs/heads/none\n');
  writeOnce(join(gitDir, 'config'), CONFIG);
  writeOnce(generationPath(gitDir), newGeneration());
}

/** No loose end may be cleared away by git itself: what is needed is known here alone. */
const CONFIG = `[core]
\trepositoryformatversion = 0
\tfilemode = true
\tbare = true
\tlogAllRefUpdates = false
[gc]
\tauto = 0
[maintenance]
\tauto = false
`;

/** Another one after each time something was removed: what a process remembers of the store may be untrue then. */
export function readGeneration(gitDir: string): string {
  return readFileSync(generationPath(gitDir), 'latin1');
}

/** In place: also on a full disk, which is when somebody prunes. */
export function changeGeneration(gitDir: string): void {
  const file = openSync(generationPath(gitDir), 'r+');
  try {
    writeSync(file, newGeneration(), 0);
  } finally {
    closeSync(file);
  }
}

const generationPath = (gitDir: string): string => join(gitDir, 'generation');
const newGeneration = (): string => randomBytes(16).toString('hex');

function writeOnce(path: string, content: string): void {
  try {
    writeFileSync(path, content, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
}

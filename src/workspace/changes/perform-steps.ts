import { constants, linkSync, mkdirSync, renameSync, rmdirSync, symlinkSync, unlinkSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { PathRefused } from '../../lib/confined-path.ts';
import { errorCode, type HeldFolder } from '../../lib/held-folder.ts';
import type { HeldPath } from '../store/held-path.ts';
import type { TreeEntry, TreeStore } from '../store/port.ts';
import {
  type ApplyConflict,
  type ApplyConflictKind,
  type ApplyStep,
  type CheckedStep,
  checkStep,
  isClosed,
  isStill,
  OPEN_BITS,
  type PathState,
} from './check-step.ts';
import { changeMode } from '../store/folder-editor.ts';
import { isSameEntry } from '../store/entries.ts';
import { createHash } from 'node:crypto';
import { type BytePath, lastName, folderOf } from '../byte-path.ts';
import { piecesOf, type ReadableBlobs, writePieces } from '../store/pieces.ts';

/** Does what was found to be done: opens closed folders, removes, writes, and gives folders their modes at the end. */
export async function performSteps(checked: readonly CheckedStep[], world: PerformWorld): Promise<PerformedSteps> {
  const work = new Performance(world);
  const agreed = checked.filter(({ verdict }) => verdict !== 'conflict');
  const backwards = agreed.toReversed();
  for (const one of agreed) await work.attempt(one, () => work.openFolder(one));
  for (const one of backwards) await work.attempt(one, () => work.remove(one));
  for (const one of agreed) await work.attempt(one, () => work.put(one));
  for (const one of backwards) await work.finishFolder(one.step);
  await work.sync();
  return work;
}

export interface PerformWorld {
  readonly held: HeldPath;
  readonly store: TreeStore;
  readonly steps: ReadonlyMap<BytePath, ApplyStep>;
  readonly project: string;
}

export interface PerformedSteps {
  readonly written: readonly BytePath[];
  readonly removed: readonly BytePath[];
  readonly kept: readonly BytePath[];
  readonly conflicts: readonly ApplyConflict[];
}

class Performance implements PerformedSteps {
  readonly written: BytePath[] = [];
  readonly removed: BytePath[] = [];
  readonly kept: BytePath[] = [];
  readonly conflicts: ApplyConflict[] = [];
  readonly #world: PerformWorld;
  readonly #failed = new Set<BytePath>();
  readonly #touched = new Set<BytePath>();
  /** Folders that were closed for writing, with the mode they had. */
  readonly #opened = new Map<BytePath, number>();
  /** Folders that are there on account of this work; the user's own keep their modes. */
  readonly #made = new Set<BytePath>();

  constructor(world: PerformWorld) {
    this.#world = world;
  }

  /** A step that is no longer possible is a conflict; a write error (a full disk) ends everything. */
  async attempt({ step }: CheckedStep, action: () => Promise<void>): Promise<void> {
    if (this.#failed.has(step.path)) return;
    try {
      await action();
    } catch (error) {
      const kind = conflictKind(error);
      if (kind === null) throw error;
      this.#fail(step, kind);
    }
  }

  async openFolder(checked: CheckedStep): Promise<void> {
    const { step, seen } = checked;
    const folder = seen.entry?.kind === 'folder' ? seen.entry : null;
    if (folder === null || !isClosed(folder.mode) || isUsersOwn(checked)) return;
    this.#opened.set(step.path, folder.mode);
    setFolderMode(await this.#parent(step), lastName(step.path), folder.mode | OPEN_BITS);
  }

  /** Removes entries, also to make room: a file must go before a folder takes its place. */
  async remove({ step, verdict }: CheckedStep): Promise<void> {
    if (step.to === null || step.to.kind === 'folder') await this.#clearPartial(step);
    if (verdict !== 'todo' || !makesRoom(step)) return;
    const { seen, isTodo } = await this.#lookAgain(step);
    if (!isTodo || seen.entry === null) return;
    const place = { folder: await this.#parent(step), name: lastName(step.path), seen };
    this.#touched.add(folderOf(step.path));
    if (seen.entry.kind === 'folder') this.#removeFolder(step, place);
    else if (removeLeaf(place)) this.#noteRemoved(step);
    else this.#fail(step, 'changed');
  }

  /** Removes a half-written file of a process that died, which would keep its folder from being removed. */
  async #clearPartial(step: ApplyStep): Promise<void> {
    const parent = await this.#parent(step).catch(() => null);
    if (parent !== null) removeIfThere(parent, partialName(lastName(step.path)));
  }

  #removeFolder(step: ApplyStep, place: EntryPlace): void {
    // A folder that is there where one should come is the one wanted.
    if (step.to?.kind === 'folder') return;
    if (removeEmptyFolder(place.folder, place.name)) this.#noteRemoved(step);
    else if (step.to === null) this.kept.push(step.path);
    else this.#fail(step, 'not-empty');
  }

  async put({ step, verdict }: CheckedStep): Promise<void> {
    if (step.to === null || step.to.kind === 'unkept' || isSameEntry(step.from, step.to)) return;
    const parent = await this.#parent(step);
    const name = lastName(step.path);
    // Somebody may have died after the file was in place and before this was cleared away.
    if (verdict === 'done' && step.to.kind !== 'folder') return removeIfThere(parent, partialName(name));
    if (verdict === 'done') return;
    const { seen, isTodo } = await this.#lookAgain(step);
    if (!isTodo) return;
    const { to } = step;
    this.#touched.add(folderOf(step.path));
    const isPut =
      to.kind === 'folder'
        ? this.#putFolder(step, { folder: parent, name, seen }, to.mode | OPEN_BITS)
        : await putEntry({ folder: parent, name, seen }, to, this.#world.store);
    if (isPut) this.written.push(step.path);
    else this.#fail(step, 'changed');
  }

  #putFolder({ path }: ApplyStep, { folder, name, seen }: EntryPlace, mode: number): boolean {
    const outcome = makeOwnFolder(folder, name, mode);
    // One that was seen and is still to be done was made by somebody who died over it.
    if (outcome === 'made' || seen.entry !== null) this.#made.add(path);
    return outcome !== 'taken';
  }

  /** Modes come last: a folder that is closed for writing could not be filled. What was opened and stays is closed again. */
  async finishFolder(step: ApplyStep): Promise<void> {
    const mode = this.#lastMode(step);
    const parent = mode === null ? null : await this.#parent(step).catch(() => null);
    const now = parent?.lookNow(lastName(step.path)) ?? null;
    if (mode === null || parent === null || now === null) return;
    if ((Number(now.mode) & 0o777) !== mode) setFolderMode(parent, lastName(step.path), mode);
  }

  #lastMode({ path, from, to }: ApplyStep): number | null {
    const isOurs = from?.kind === 'folder' || this.#made.has(path);
    return to?.kind === 'folder' && isOurs && !this.#failed.has(path) ? to.mode : (this.#opened.get(path) ?? null);
  }

  /** Makes the changes durable before the caller learns of them. */
  async sync(): Promise<void> {
    for (const path of this.#touched) {
      const folder = path === '' ? null : await this.#world.held.at(folderOf(path)).catch(() => null);
      if (path === '') await trySyncFolder(this.#world.project);
      else if (folder !== null) await trySyncFolder(folder.at(lastName(path)));
    }
  }

  async #lookAgain(step: ApplyStep) {
    const again = await checkStep(step, this.#world);
    if (again.verdict === 'conflict') this.#fail(step, again.why, again);
    return { seen: again.seen, isTodo: again.verdict === 'todo' };
  }

  #parent(step: ApplyStep): Promise<HeldFolder> {
    return this.#world.held.at(folderOf(step.path));
  }

  #noteRemoved(step: ApplyStep): void {
    if (step.to === null) this.removed.push(step.path);
  }

  #fail(step: ApplyStep, kind: ApplyConflictKind, checked?: CheckedStep): void {
    this.#failed.add(step.path);
    const found = checked?.seen.entry ?? null;
    this.conflicts.push({ path: step.path, kind, expected: step.from, wanted: step.to, found });
  }
}

/** Kept although neither tree has it: only the user can have made it. */
function isUsersOwn({ step: { from, to }, seen, verdict }: CheckedStep): boolean {
  return verdict === 'done' && !isSameEntry(seen.entry, from) && !isSameEntry(seen.entry, to);
}

function makesRoom({ from, to }: ApplyStep): boolean {
  return from !== null && (to === null || (from.kind === 'folder') !== (to.kind === 'folder'));
}

function conflictKind(error: unknown): ApplyConflictKind | null {
  if (error instanceof PathRefused) return error.reason === 'denied' ? 'denied' : 'in-the-way';
  const code = errorCode(error);
  if (code === 'EACCES' || code === 'EPERM') return 'denied';
  return ['ENOENT', 'ENOTDIR', 'ELOOP', 'EISDIR', 'EEXIST'].includes(code) ? 'in-the-way' : null;
}

/** Not every file system can, and the folder may be gone by now. */
async function trySyncFolder(path: string | Buffer): Promise<void> {
  const flags = constants.O_RDONLY | constants.O_DIRECTORY | (typeof path === 'string' ? 0 : constants.O_NOFOLLOW);
  const handle = await open(path, flags).catch(() => null);
  if (handle === null) return;
  await handle.sync().catch(() => undefined);
  await handle.close();
}

/**
 * Puts a file or link where `seen` was found, whole or not at all. False when something else stands there by now, which then
 * stays. What is there is replaced, never written into, so that a second name of it (a hard link) keeps the old content.
 */
async function putEntry(place: EntryPlace, entry: LeafEntry, store: ReadableBlobs): Promise<boolean> {
  const { folder, name, seen } = place;
  const partial = partialName(name);
  removeIfThere(folder, partial);
  try {
    if (entry.kind === 'link') symlinkSync(await store.read(entry.blob), folder.at(partial));
    else await writePieces(folder.at(partial), piecesOf(store, entry.blob), { mode: entry.mode, durable: true });
    if (seen.entry === null) return putNew(folder, partial, name);
    if (!isStill(folder, name, seen)) return false;
    renameSync(folder.at(partial), folder.at(name));
    return true;
  } finally {
    removeIfThere(folder, partial);
  }
}

interface EntryPlace {
  readonly folder: HeldFolder;
  readonly name: Buffer;
  readonly seen: PathState;
}

export type LeafEntry = Extract<TreeEntry, { kind: 'file' | 'link' }>;

/** False when something else stands there by now. */
function removeLeaf({ folder, name, seen }: EntryPlace): boolean {
  if (!isStill(folder, name, seen)) return false;
  unlinkSync(folder.at(name));
  return true;
}

/** False when something is still in it. */
function removeEmptyFolder(folder: HeldFolder, name: Buffer): boolean {
  try {
    rmdirSync(folder.at(name));
    return true;
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT') return true;
    if (code === 'ENOTEMPTY' || code === 'EEXIST' || code === 'ENOTDIR') return false;
    throw error;
  }
}

/** With its mode at once, whatever the process's own mask says: a folder found with another mode was then changed by the user. */
function makeOwnFolder(folder: HeldFolder, name: Buffer, mode: number): 'made' | 'found' | 'taken' {
  try {
    mkdirSync(folder.at(name), mode);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
    return folder.lookNow(name)?.isDirectory() === true ? 'found' : 'taken';
  }
  setFolderMode(folder, name, mode);
  return 'made';
}

/** Nothing happens where it is not a folder any more. */
function setFolderMode(folder: HeldFolder, name: Buffer, mode: number): void {
  try {
    changeMode(folder, name, { mode: mode & 0o777, kind: 'folder' });
  } catch (error) {
    if (!['ENOENT', 'ENOTDIR', 'ELOOP'].includes(errorCode(error))) throw error;
  }
}

/** The same for the same file each time, so that what a dying process left is cleared away by the next. */
export function partialName(name: Buffer): Buffer {
  return Buffer.from(`.troupe-${createHash('sha256').update(name).digest('hex').slice(0, 16)}.partial~`);
}

function removeIfThere(folder: HeldFolder, name: Buffer): void {
  try {
    unlinkSync(folder.at(name));
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
}

/** A second name for the partial file fails where the name is taken, which a rename would not. */
function putNew(folder: HeldFolder, partial: Buffer, name: Buffer): boolean {
  try {
    linkSync(folder.at(partial), folder.at(name));
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    if (!NO_HARD_LINKS.has(errorCode(error))) throw error;
    if (folder.lookNow(name) !== null) return false;
    renameSync(folder.at(partial), folder.at(name));
    return true;
  }
}

const NO_HARD_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK', 'ENOSYS']);

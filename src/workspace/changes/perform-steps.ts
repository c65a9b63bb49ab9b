import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { PathRefused } from '../../lib/confined-path.ts';
import { errorCode } from '../../lib/held-folder.ts';
import type { HeldFolder } from '../../lib/held-folder.ts';
import type { BytePath } from '../byte-path.ts';
import { folderOf } from '../byte-path.ts';
import type { HeldPath } from '../store/held-path.ts';
import type { TreeStore } from '../store/port.ts';
import { isClosed, OPEN_BITS } from './apply-steps.ts';
import type { ApplyStep } from './apply-steps.ts';
import { checkStep, lastName } from './check-step.ts';
import type { ApplyConflict, ApplyConflictKind, CheckedStep } from './check-step.ts';
import { isSameEntry } from '../store/same-entry.ts';
import {
  makeOwnFolder,
  partialName,
  putEntry,
  removeEmptyFolder,
  removeIfThere,
  removeLeaf,
  setFolderMode,
} from './put-entry.ts';
import type { EntryPlace } from './put-entry.ts';

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

  /** What can no longer be done is a conflict, and what cannot be written at all (a full disk) ends everything. */
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
    await setFolderMode(await this.#parent(step), lastName(step.path), folder.mode | OPEN_BITS);
  }

  /** What goes, and what has to make room: the way from a file to a folder or back leads over nothing. */
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

  /** What somebody left who died over writing it would keep its folder from going. */
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
        ? await this.#putFolder(step, { folder: parent, name, seen }, to.mode | OPEN_BITS)
        : await putEntry({ folder: parent, name, seen }, to, this.#world.store);
    if (isPut) this.written.push(step.path);
    else this.#fail(step, 'changed');
  }

  async #putFolder({ path }: ApplyStep, { folder, name, seen }: EntryPlace, mode: number): Promise<boolean> {
    const outcome = await makeOwnFolder(folder, name, mode);
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
    if ((Number(now.mode) & 0o777) !== mode) await setFolderMode(parent, lastName(step.path), mode);
  }

  #lastMode({ path, from, to }: ApplyStep): number | null {
    const isOurs = from?.kind === 'folder' || this.#made.has(path);
    return to?.kind === 'folder' && isOurs && !this.#failed.has(path) ? to.mode : (this.#opened.get(path) ?? null);
  }

  /** What was done is on the disk when the caller hears of it. */
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

/** Good as it is, though not what either tree has: nobody but the user made it. */
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

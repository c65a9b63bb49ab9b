import { PathRefused } from '../../lib/confined-path.ts';
import { errorCode, type HeldFolder } from '../../lib/held-folder.ts';
import { isGitName, objectHeader, objectId } from '../store/git-object.ts';
import { HeldPath } from '../store/held-path.ts';
import type { EntryMap, TreeEntry, TreeStore } from '../store/port.ts';
import { allPaths, blobOf, isSameEntry, withAllFolders } from '../store/entries.ts';
import type { TreeId } from '../../core/model/ids.ts';
import { createHash } from 'node:crypto';
import { type BigIntStats, readlinkSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { openHeldFile } from '../../lib/held-file.ts';
import { type BytePath, lastName, folderOf } from '../byte-path.ts';
import { type EntryStamp, stampOf } from '../store/entry-stamp.ts';

/** Looks at one path of the project: still to be done, done already, or somebody else's by now. */
export async function checkStep(step: ApplyStep, look: StepLook): Promise<CheckedStep> {
  if (step.path.split('/').some(isGitName)) return { step, seen: ABSENT, verdict: 'conflict', why: 'reserved' };
  if (step.from?.kind === 'unkept' || step.to?.kind === 'unkept') {
    return { step, seen: ABSENT, verdict: 'conflict', why: 'unkept' };
  }
  const found = await stateAt(step, look);
  if (typeof found === 'string') return { step, seen: ABSENT, verdict: 'conflict', why: found };
  const verdict = judgeStep(step, found.entry);
  return { step, seen: found, verdict, why: 'changed' };
}

export interface StepLook {
  readonly held: HeldPath;
  readonly store: Pick<TreeStore, 'sizeOf'>;
  readonly steps: ReadonlyMap<BytePath, ApplyStep>;
}

export interface CheckedStep {
  readonly step: ApplyStep;
  readonly seen: PathState;
  readonly verdict: 'todo' | 'done' | 'conflict';
  /** Counts for a conflict. */
  readonly why: ApplyConflictKind;
}

export interface ApplyConflict {
  readonly path: BytePath;
  readonly kind: ApplyConflictKind;
  readonly expected: TreeEntry | null;
  readonly wanted: TreeEntry | null;
  /** The entry found instead; null also if it could not be read. */
  readonly found: TreeEntry | null;
}

export type ApplyConflictKind =
  /** It is not what it was expected to be: somebody changed it meanwhile. */
  | 'changed'
  /** On the way there is a link, or a file where a folder should be. */
  | 'in-the-way'
  | 'denied'
  /** A folder has to go and holds something that is in neither tree. */
  | 'not-empty'
  /** A special file, one over the limit, one that may not be read: its content is in no tree. */
  | 'unkept'
  /** A name that belongs to git. */
  | 'reserved';

export function judgeStep({ from, to }: ApplyStep, actual: TreeEntry | null): CheckedStep['verdict'] {
  if (isSameEntry(actual, to)) return 'done';
  if (isSameEntry(actual, from)) return 'todo';
  // Between a file's going and a folder's coming there is nothing; somebody may have died just then.
  if (actual === null) return isFolder(from) !== isFolder(to) && from !== null && to !== null ? 'todo' : 'conflict';
  return actual.kind === 'folder' ? judgeFolder({ from, to }, actual.mode) : 'conflict';
}

function judgeFolder({ from, to }: Omit<ApplyStep, 'path'>, mode: number): CheckedStep['verdict'] {
  if (isUnderWay({ from, to }, mode)) return 'todo';
  // Neither tree knows it (what is in it may be ignored): it is the user's, and good enough to put something into.
  return isFolder(to) && !isFolder(from) ? 'done' : 'conflict';
}

/** Folders are open for writing while there is something to do in them, whatever mode they had and will have. */
function isUnderWay({ from, to }: Omit<ApplyStep, 'path'>, mode: number): boolean {
  if (to?.kind !== 'folder') return from?.kind === 'folder';
  // Made with its mode at once, but for one that is closed for writing.
  if (from?.kind !== 'folder') return isClosed(to.mode) && mode === (to.mode | OPEN_BITS);
  return mode === (from.mode | OPEN_BITS) || mode === (to.mode | OPEN_BITS);
}

function isFolder(entry: TreeEntry | null): boolean {
  return entry?.kind === 'folder';
}

async function stateAt(step: ApplyStep, look: StepLook): Promise<PathState | 'in-the-way' | 'denied'> {
  const { path } = step;
  try {
    const folder = await look.held.at(folderOf(path));
    return await pathState(folder, lastName(path), { largest: () => largestOf(step, look.store) });
  } catch (error) {
    const reason = error instanceof PathRefused ? error.reason : errorCode(error);
    if (reason === 'missing') return ABSENT;
    if (reason === 'denied' || reason === 'EACCES') return 'denied';
    if (!(error instanceof PathRefused)) throw error;
    return (await blockedByStep(path, look)) ? ABSENT : 'in-the-way';
  }
}

async function largestOf({ from, to }: ApplyStep, store: Pick<TreeStore, 'sizeOf'>): Promise<number> {
  const blobs = [from, to].flatMap((entry) => (entry === null ? [] : (blobOf(entry) ?? [])));
  const sizes = await Promise.all(blobs.map((blob) => store.sizeOf(blob)));
  return Math.max(0, ...sizes);
}

/** Whether the obstacle is itself part of the change: then nothing is below it. */
async function blockedByStep(path: BytePath, { held, steps }: StepLook): Promise<boolean> {
  const names = path.split('/');
  for (let depth = 1; depth < names.length; depth += 1) {
    const above = names.slice(0, depth).join('/');
    const folder = await held.at(folderOf(above)).catch(() => null);
    if (folder?.lookNow(lastName(above))?.isDirectory() !== true) return steps.has(above);
  }
  // It was moved out of the way meanwhile, and that move is not finished.
  return false;
}

/** The change of one path. */
export interface ApplyStep {
  readonly path: BytePath;
  readonly from: TreeEntry | null;
  readonly to: TreeEntry | null;
}

/** Every path at which two trees differ, folders included, a folder before what is in it. */
export async function applySteps(
  store: TreeStore,
  from: TreeId,
  to: TreeId,
): Promise<ReadonlyMap<BytePath, ApplyStep>> {
  const before = withAllFolders(await store.entries(from));
  const after = withAllFolders(await store.entries(to));
  const stepAt = (path: BytePath): ApplyStep => ({ path, from: before.get(path) ?? null, to: after.get(path) ?? null });
  const changed = allPaths(before, after)
    .map(stepAt)
    .filter((step) => !isSameEntry(step.from, step.to) && !isOnlyUnkept(step));
  const closed = closedFolders(changed, after).map(stepAt);
  const steps = [...changed, ...closed].sort((a, b) => (a.path < b.path ? -1 : 1));
  return new Map(steps.map((step) => [step.path, step]));
}

/** Something came or went whose content no tree holds: there is nothing to write, and nothing of it is ever removed. */
function isOnlyUnkept({ from, to }: ApplyStep): boolean {
  return (from ?? to)?.kind === 'unkept' && (to ?? from)?.kind === 'unkept';
}

/** Unchanged folders that have to be opened for writing for a while, and closed again. */
function closedFolders(changed: readonly ApplyStep[], after: EntryMap): readonly BytePath[] {
  const known = new Set(changed.map(({ path }) => path));
  const parents = new Set(changed.map(({ path }) => folderOf(path)));
  return [...parents].filter((path) => {
    const entry = after.get(path);
    return !known.has(path) && entry?.kind === 'folder' && isClosed(entry.mode);
  });
}

/** Its owner cannot change what is in it. */
export function isClosed(mode: number): boolean {
  return (mode & OPEN_BITS) !== OPEN_BITS;
}

export const OPEN_BITS = 0o700;

/** The entry on disk under one name, in the form of a tree. Follows no link and opens no special file. */
export async function pathState(folder: HeldFolder, name: Buffer, options: StateOptions = {}): Promise<PathState> {
  const stats = folder.lookNow(name);
  if (stats === null) return ABSENT;
  const stamp = stampOf(stats);
  if (stats.isDirectory()) return { entry: { kind: 'folder', mode: permissions(stats) }, stamp };
  if (stats.isSymbolicLink()) return linkState(folder, name, stamp);
  if (!stats.isFile()) return { entry: { kind: 'unkept', why: 'special' }, stamp };
  if (await isTooLarge(stats.size, options)) return { entry: { kind: 'unkept', why: 'too-large' }, stamp };
  const blob = await fileBlob(folder, name);
  if (blob === null) return { entry: { kind: 'unkept', why: 'unreadable' }, stamp };
  return { entry: { kind: 'file', mode: permissions(stats), blob }, stamp };
}

export interface PathState {
  readonly entry: TreeEntry | null;
  /** Differs as soon as the entry may have changed. */
  readonly stamp: EntryStamp | null;
}

export interface StateOptions {
  /** Asked before a large file is read: above this size it cannot be what is looked for. */
  readonly largest?: () => Promise<number>;
}

const ABSENT: PathState = { entry: null, stamp: null };

/** The last look before something is changed: at once, so that nearly no time is left for others to come between. */
export function isStill(folder: HeldFolder, name: Buffer, state: PathState): boolean {
  const stats = folder.lookNow(name);
  return (stats === null ? null : stampOf(stats)) === state.stamp;
}

async function isTooLarge(size: bigint, { largest }: StateOptions): Promise<boolean> {
  return largest !== undefined && size > ALWAYS_READ_BYTES && size > BigInt(await largest());
}

const ALWAYS_READ_BYTES = 16 * 1024 * 1024;

function permissions(stats: BigIntStats): number {
  return Number(stats.mode) & 0o777;
}

function linkState(folder: HeldFolder, name: Buffer, stamp: EntryStamp): PathState {
  try {
    const target = readlinkSync(folder.at(name), { encoding: 'buffer' });
    return { entry: { kind: 'link', blob: objectId('blob', target) }, stamp };
  } catch (error) {
    // No link any more: whatever it is, it is not what was expected.
    if (errorCode(error) === 'EINVAL' || errorCode(error) === 'ENOENT') return MOVING;
    throw error;
  }
}

const MOVING: PathState = { entry: { kind: 'unkept', why: 'unreadable' }, stamp: 'moving' };

/** Null when it may not be read, or is not a file any more. */
async function fileBlob(folder: HeldFolder, name: Buffer): Promise<string | null> {
  const file = await openHeldFile(folder, name).catch((error: unknown) => {
    if (error instanceof PathRefused) return null;
    throw error;
  });
  if (file === null) return null;
  try {
    return await hashOpen(file);
  } finally {
    await file.close();
  }
}

async function hashOpen(file: FileHandle): Promise<string> {
  const { size } = await file.stat();
  const hash = createHash('sha1').update(objectHeader('blob', size));
  const buffer = Buffer.allocUnsafe(Math.min(Math.max(size, 1), CHUNK_BYTES));
  for (;;) {
    const { bytesRead } = await file.read(buffer, 0, buffer.length, null);
    if (bytesRead === 0) return hash.digest('hex');
    hash.update(buffer.subarray(0, bytesRead));
  }
}

const CHUNK_BYTES = 256 * 1024;

/** The project's entry at a path; null also if it could not be read. */
export async function presentEntry(project: string, path: BytePath): Promise<TreeEntry | null> {
  const held = await HeldPath.open(project);
  try {
    return (await pathState(await held.at(folderOf(path)), lastName(path))).entry;
  } catch {
    return null;
  } finally {
    await held.close();
  }
}

import { PathRefused } from '../../lib/confined-path.ts';
import { errorCode } from '../../lib/held-folder.ts';
import type { BytePath } from '../byte-path.ts';
import { folderOf, toNames } from '../byte-path.ts';
import { isGitName } from '../store/git-name.ts';
import type { HeldPath } from '../store/held-path.ts';
import type { TreeEntry, TreeStore } from '../store/port.ts';
import { isClosed, OPEN_BITS } from './apply-steps.ts';
import type { ApplyStep } from './apply-steps.ts';
import { blobOf, isSameEntry } from '../store/same-entry.ts';
import { ABSENT, pathState } from './path-state.ts';
import type { PathState } from './path-state.ts';

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
  /** What is there instead; null also where it could not be looked at. */
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

/** What stands in the way is itself to be changed, or has been: then there is nothing below it. */
async function blockedByStep(path: BytePath, { held, steps }: StepLook): Promise<boolean> {
  const names = path.split('/');
  for (let depth = 1; depth < names.length; depth += 1) {
    const above = names.slice(0, depth).join('/');
    const folder = await held.at(folderOf(above)).catch(() => null);
    if (folder?.lookNow(lastName(above))?.isDirectory() !== true) return steps.has(above);
  }
  // It went out of the way meanwhile; whoever moves it is not done yet.
  return false;
}

export function lastName(path: BytePath): Buffer {
  return toNames(path).at(-1) ?? Buffer.alloc(0);
}

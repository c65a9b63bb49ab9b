import { join } from 'node:path';
import { Fault } from '../../core/model/fault.ts';
import type { TreeId } from '../../core/model/ids.ts';
import { PathRefused, shownPath } from '../../lib/confined-path.ts';
import { isPartialName } from '../../lib/held-file.ts';
import { type BytePath, folderOf, lastName } from '../byte-path.ts';
import { HeldPath } from '../store/held-path.ts';
import type { TreeEntry, TreeStore } from '../store/port.ts';
import { withStoreFaults } from '../store/store-fault.ts';
import { StoreLock } from '../store/store-lock.ts';
import {
  type ApplyConflict,
  applySteps,
  type CheckedStep,
  checkStep,
  presentEntry,
  type StepLook,
} from './check-step.ts';
import { partialName, type PerformedSteps, performSteps } from './perform-steps.ts';
import type { Conflict } from './conflict.ts';
import { isSameEntry } from '../store/entries.ts';
import { mergeTrees, type Rename } from './merge-trees.ts';
import { takeSide } from './plan-apply.ts';

/**
 * Changes in the user's project exactly the paths at which two trees differ, and nothing else. A path must be as `from` says
 * to be changed; one that is as `to` says already counts as done, so after a crash the same again finishes the work, and with
 * the two exchanged undoes it. What is neither stays as it is and is reported. First everything is looked at, then written;
 * should the user change something in between, what was written is taken back.
 */
export async function applyTrees(store: TreeStore, options: ApplyOptions): Promise<Applied> {
  return alone(store, async () => {
    const applied = await applyOnce(store, options);
    const isHalf = applied.kind === 'conflict' && applied.written.length + applied.removed.length > 0;
    if (!isHalf || options.onConflict === 'keep') return applied;
    await applyOnce(store, { ...options, from: options.to, to: options.from, onConflict: 'keep' });
    return { kind: 'conflict', conflicts: applied.conflicts, ...NOTHING_DONE };
  });
}

/** Previews an apply without changing anything: the number of paths to change, and the conflicts. */
export async function lookAtApply(store: TreeStore, options: ApplyOptions): Promise<ApplyOutlook> {
  const steps = await applySteps(store, options.from, options.to);
  const held = await openProject(options.project);
  try {
    const checked = await checkAll({ steps, held, store });
    const of = (wanted: CheckedStep['verdict']) => checked.filter(({ verdict }) => verdict === wanted);
    return { open: of('todo').length, conflicts: of('conflict').map(toConflict) };
  } finally {
    await held.close();
  }
}

export interface ApplyOutlook {
  readonly open: number;
  readonly conflicts: readonly ApplyConflict[];
}

export interface ApplyOptions {
  readonly from: TreeId;
  readonly to: TreeId;
  /** The user's folder. */
  readonly project: string;
  /** `stop`, if not said otherwise: one conflict, and nothing is written. `keep`: what has a conflict is left alone, the rest is done. */
  readonly onConflict?: 'stop' | 'keep';
}

export type Applied =
  | ({ readonly kind: 'applied' } & AppliedCounts)
  | ({ readonly kind: 'conflict'; readonly conflicts: readonly ApplyConflict[] } & AppliedCounts);

export interface AppliedCounts {
  readonly written: readonly BytePath[];
  readonly removed: readonly BytePath[];
  /** Folders that stayed because something is in them that belongs to neither tree. */
  readonly kept: readonly BytePath[];
}

const NOTHING_DONE: AppliedCounts = { written: [], removed: [], kept: [] };

async function applyOnce(store: TreeStore, options: ApplyOptions): Promise<Applied> {
  const { project } = options;
  const steps = await applySteps(store, options.from, options.to);
  const held = await openProject(project);
  try {
    const checked = await checkAll({ steps, held, store });
    const conflicts = checked.filter(({ verdict }) => verdict === 'conflict').map(toConflict);
    if (conflicts.length > 0 && options.onConflict !== 'keep') return { kind: 'conflict', conflicts, ...NOTHING_DONE };
    const performed = await withStoreFaults(project, () => performSteps(checked, { held, store, steps, project }));
    return outcome(performed, [...conflicts, ...performed.conflicts]);
  } finally {
    await held.close();
  }
}

/** Two at once would find each other's half-done work. The store is the project's own, so its lock is the project's. */
async function alone<T>(store: TreeStore, work: () => Promise<T>): Promise<T> {
  const lock = new StoreLock(join(store.gitDir, 'apply.db'));
  try {
    return await lock.alone(work);
  } finally {
    lock.close();
  }
}

async function openProject(project: string): Promise<HeldPath> {
  try {
    return await HeldPath.open(project);
  } catch (error) {
    throw new Fault('PROJECT_MISSING', `The folder ${shownPath(project)} cannot be opened.`, {
      hint: 'Make it first if it does not exist, and see that you may write there.',
      cause: error,
    });
  }
}

async function checkAll(look: StepLook): Promise<readonly CheckedStep[]> {
  const checked: CheckedStep[] = [];
  for (const step of look.steps.values()) checked.push(await checkStep(step, look));
  const filled = await foldersWithOthers(checked, look);
  // Nothing is held from the look to the change.
  await look.held.at('');
  return checked.map((one) => {
    const mustGo = one.verdict === 'todo' && one.seen.entry?.kind === 'folder' && one.step.to !== null;
    return mustGo && one.step.to.kind !== 'folder' && filled.has(one.step.path)
      ? { ...one, verdict: 'conflict', why: 'not-empty' }
      : one;
  });
}

/** Folders that are to go and hold, at whatever depth, what is in neither tree. */
async function foldersWithOthers(checked: readonly CheckedStep[], look: StepLook): Promise<ReadonlySet<BytePath>> {
  const filled = new Set<BytePath>();
  for (const { step, seen, verdict } of checked) {
    if (verdict !== 'todo' || seen.entry?.kind !== 'folder' || step.to?.kind === 'folder') continue;
    if (!(await holdsOthers(step.path, look))) continue;
    for (let path = step.path; path !== ''; path = folderOf(path)) filled.add(path);
  }
  return filled;
}

async function holdsOthers(path: BytePath, { steps, held }: StepLook): Promise<boolean> {
  try {
    const parent = await held.at(folderOf(path));
    const folder = await parent.child(lastName(path));
    try {
      const inside = (await folder.entries()).map(({ name }) => `${path}/${name.toString('latin1')}`);
      return !inside.every((below) => steps.has(below) || isPartialOf(steps, below));
    } finally {
      await folder.close();
    }
  } catch (error) {
    // What cannot be looked into may hold anything.
    if (error instanceof PathRefused) return true;
    throw error;
  }
}

/** Ours: written halfway by somebody who died. */
function isPartialOf(steps: StepLook['steps'], path: BytePath): boolean {
  const name = lastName(path);
  if (!isPartialName(name.toString('latin1'))) return false;
  const beside = [...steps.keys()].filter((one) => folderOf(one) === folderOf(path));
  return beside.some((one) => partialName(lastName(one)).equals(name));
}

function toConflict({ step, seen, why }: CheckedStep): ApplyConflict {
  return { path: step.path, kind: why, expected: step.from, wanted: step.to, found: seen.entry };
}

function outcome(performed: PerformedSteps, conflicts: readonly ApplyConflict[]): Applied {
  const { written, removed, kept } = performed;
  const counts = { written, removed, kept };
  return conflicts.length === 0 ? { kind: 'applied', ...counts } : { kind: 'conflict', conflicts, ...counts };
}

/**
 * Undoes what was applied to the user's project. What is still as it was left goes back to what it was before; in a file that
 * the user changed since, the run's lines go and the user's stay. Where both are the same lines the user's version is kept and
 * reported, and does not keep the rest from going back. With the two trees exchanged it is itself undone.
 */
export async function rollbackProject(store: TreeStore, options: RollbackOptions): Promise<RolledBackFiles> {
  const { before, after, project, present } = options;
  if (present === undefined) {
    const applied = await applyTrees(store, { from: after, to: before, project, onConflict: 'keep' });
    return { ...applied, unmerged: [] };
  }
  const plan = await planUndo(store, { before, after, present, project });
  const applied = await applyTrees(store, { from: plan.present, to: plan.tree, project, onConflict: 'keep' });
  return { ...applied, unmerged: plan.conflicts };
}

export interface RollbackOptions {
  readonly before: TreeId;
  readonly after: TreeId;
  readonly project: string;
  /** The project as it is now. Without it a file that the user changed is kept whole. */
  readonly present?: TreeId;
}

export type RolledBackFiles = Applied & {
  /** Kept as the user has them: the run's changes there can no longer be separated. */
  readonly unmerged: readonly Conflict[];
};

/**
 * Finds what taking a change out of the project again would do: three-way, with what the change led to as the beginning of
 * both. Nothing is written to the project.
 */
export async function planUndo(store: TreeStore, options: UndoOptions): Promise<UndoPlan> {
  const { before, after } = options;
  const present = await withUnlisted(store, options);
  const labels = { base: 'with the change', ours: 'your files', theirs: 'before the change' };
  const merged = await mergeTrees(store, { base: after, ours: present, theirs: before, labels });
  if (merged.kind === 'clean') return { present, tree: merged.tree, conflicts: [] };
  const listed = await store.entries(present);
  const kept = merged.conflicts.map((conflict) => {
    const renamed = merged.renames.find(({ from, to }) => to === conflict.path && listed.has(from));
    return { conflict, mergedAs: conflict.path, path: keptPath(conflict, renamed) };
  });
  const moved = kept.filter(({ mergedAs, path }) => mergedAs !== path);
  const taken = [
    ...moved.map(({ conflict, mergedAs }) => ({ path: mergedAs, kind: conflict.kind, side: null, from: present })),
    ...kept.map(({ conflict, path }) => ({ path, kind: conflict.kind, side: conflict.ours, from: present })),
  ];
  const conflicts = kept.map(({ conflict, path }) => ({ ...conflict, path }));
  return { present, tree: await takeSide(store, merged.tree, taken), conflicts };
}

export interface UndoOptions {
  readonly before: TreeId;
  readonly after: TreeId;
  /** The project as it was recorded just now. */
  readonly present: TreeId;
  readonly project: string;
}

export interface UndoPlan {
  /** The project as it is, as far as the change is about it. */
  readonly present: TreeId;
  /** As it would be. */
  readonly tree: TreeId;
  /** Kept as they are. */
  readonly conflicts: readonly Conflict[];
}

/** A file to which its old name cannot be given back with its old lines stays where the user has it; its mode is not a reason to. */
function keptPath({ path, kind }: Conflict, renamed: Rename | undefined): BytePath {
  return renamed === undefined || kind === 'mode' ? path : renamed.from;
}

/** The change itself may have made the project ignore a file; the file still exists as the change left it. */
async function withUnlisted(store: TreeStore, { before, after, present, project }: UndoOptions): Promise<TreeId> {
  const listed = await store.entries(present);
  const changed = (await store.compare(after, before)).filter((one) => one.before !== null && !listed.has(one.path));
  const found = new Map<BytePath, TreeEntry>();
  for (const { path, before: left } of changed) {
    const entry = await presentEntry(project, path);
    if (entry !== null && isSameEntry(entry, left)) found.set(path, entry);
  }
  return found.size === 0 ? present : store.write(new Map([...listed, ...found]));
}

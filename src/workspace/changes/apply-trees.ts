import { join } from 'node:path';
import { Fault } from '../../core/fault.ts';
import type { TreeId } from '../../core/ids.ts';
import { PathRefused, shownPath } from '../../lib/confined-path.ts';
import { isPartialName } from '../../lib/held-file.ts';
import type { BytePath } from '../byte-path.ts';
import { folderOf } from '../byte-path.ts';
import { HeldPath } from '../store/held-path.ts';
import type { TreeStore } from '../store/port.ts';
import { withStoreFaults } from '../store/store-fault.ts';
import { StoreLock } from '../store/store-lock.ts';
import { applySteps } from './apply-steps.ts';
import { checkStep, lastName } from './check-step.ts';
import type { ApplyConflict, CheckedStep, StepLook } from './check-step.ts';
import { performSteps } from './perform-steps.ts';
import { partialName } from './put-entry.ts';
import type { PerformedSteps } from './perform-steps.ts';

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

/** What applying would meet, without changing anything: how many paths are still to be changed, and what is in the way. */
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

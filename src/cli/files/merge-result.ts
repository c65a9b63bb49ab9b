import type { ProjectChanged } from '../../core/files-fact.ts';
import type { TreeId } from '../../core/ids.ts';
import type { ApplyPlan } from '../../workspace/changes/plan-apply.ts';
import { applyTrees } from '../../workspace/changes/apply-trees.ts';
import { diffTrees } from '../../workspace/changes/diff-trees.ts';
import { planApply } from '../../workspace/changes/plan-apply.ts';
import { writeBranch, type WrittenBranch } from '../../workspace/changes/write-branch.ts';
import { writePatch } from '../../workspace/changes/write-patch.ts';
import { personName } from '../session/drive.ts';
import type { Driving } from '../session/driving.ts';
import { changeViews, pathText, viewsBeyondPatch } from './change-view.ts';
import { conflictView, standingInTheWay } from './conflict-view.ts';
import type { MergeOutcome, MergeTarget } from './merge-outcome.ts';
import { refuseDriven, requireProject, type RunResult } from './run-result.ts';
import { verifyMerged } from './verify-merged.ts';

export interface MergeRequest {
  readonly target: MergeTarget;
  /** A command that must succeed on the merged files. */
  readonly verify: string | null;
  readonly signal: AbortSignal;
}

/**
 * Brings what a run made to the user: as a branch, as a patch, or into the files. Merged three-way first, then checked, and
 * only then is anything written; a conflict is an outcome, and nothing is changed.
 */
export async function mergeResult(
  driving: Driving,
  result: RunResult,
  { target, verify, signal }: MergeRequest,
): Promise<MergeOutcome> {
  const { run, project, base, tree } = result;
  requireProject(project);
  if (target.kind === 'apply') await refuseDriven(driving, run);
  if (base === tree) return { kind: 'merge.unchanged', run };
  // Git merges a branch itself, when and where the user wants it; only a check needs to see the outcome now.
  if (target.kind === 'branch' && verify === null) return await asBranch(driving, result, target.name);
  const plan = await planFor(driving, result);
  if (plan.kind === 'conflict') {
    return { kind: 'merge.conflict', run, against: 'project', conflicts: plan.conflicts.map(conflictView) };
  }
  const check = { tree: plan.tree, command: verify ?? '', signal };
  const refused = verify === null ? null : await verifyMerged(driving, result, check);
  return refused ?? (await carryOut(driving, result, { plan, target }));
}

async function carryOut(
  driving: Driving,
  result: RunResult,
  { plan, target }: { readonly plan: Plan; readonly target: MergeTarget },
): Promise<MergeOutcome> {
  if (target.kind === 'branch') return await asBranch(driving, result, target.name);
  if (plan.changes.length === 0) return { kind: 'merge.unchanged', run: result.run };
  return target.kind === 'patch' ? await asPatch(result, plan, target) : await intoFiles(driving, result, plan);
}

type Plan = Extract<ApplyPlan, { readonly kind: 'plan' }>;

async function planFor({ world }: Driving, result: RunResult): Promise<ApplyPlan> {
  const { store, tree, project } = result;
  const recordProject = async () => (await world.workspaces.begin(project)).tree;
  return await planApply(store, { base: startOf(result), theirs: tree, recordProject });
}

/** What the run made since it was last applied. The same once more is the whole once more: it may not all be there. */
function startOf({ base, applied, tree }: RunResult): TreeId {
  return applied === null || applied === tree ? base : applied;
}

async function asBranch({ store: { journal } }: Driving, result: RunResult, name: string): Promise<MergeOutcome> {
  const { run, store, project, base, tree } = result;
  const info = await journal.run(run);
  const message = `${info?.title || `Files of ${info?.workflow ?? 'a run'}`}\n\nMade by the run ${run} of ${info?.workflow ?? 'Troupe'}.`;
  const written: WrittenBranch = await writeBranch(store, { project, name, base, tree, message });
  const leftOut = written.leftOut.map(({ path, why }) => ({ path: pathText(path), why }));
  if (written.kind === 'unchanged') return { kind: 'merge.unchanged', run };
  if (written.kind === 'conflict') {
    return { kind: 'merge.conflict', run, against: 'commit', conflicts: written.conflicts.map(conflictView) };
  }
  const diff = await diffTrees(store, { before: base, after: tree }, { patch: false });
  const changes = changeViews(diff.changes, diff.stat);
  return { kind: 'merge.branch', run, branch: name, commit: written.commit, changes, leftOut };
}

async function asPatch(
  { run, store }: RunResult,
  plan: Plan,
  target: Extract<MergeTarget, { readonly kind: 'patch' }>,
): Promise<MergeOutcome> {
  const { file, isOwn } = target;
  const diff = await writePatch(store, { before: plan.ours, after: plan.tree, file, overwrite: isOwn });
  const changes = changeViews(diff.changes, diff.stat);
  return { kind: 'merge.patch', run, file, changes, beyondPatch: viewsBeyondPatch(diff) };
}

/**
 * Written down first: should this process die halfway, the journal knows both states, and applying again or rolling back
 * finishes one way or the other.
 */
async function intoFiles({ host }: Driving, result: RunResult, plan: Plan): Promise<MergeOutcome> {
  const { run, store, project, workspace, tree } = result;
  const { seq } = await host.snapshot(run);
  const change: ProjectChanged = {
    kind: 'project.changed',
    how: 'applied',
    before: plan.ours,
    after: plan.tree,
    kept: [],
    by: personName(),
  };
  await host.noteProjectChange(run, change);
  const applied = await applyTrees(store, { from: plan.ours, to: plan.tree, project });
  if (applied.kind === 'conflict') {
    const conflicts = applied.conflicts.map(standingInTheWay);
    const kept = conflicts.map(({ path }) => path);
    await host.noteProjectChange(run, { ...change, how: 'rolled-back', before: plan.tree, after: plan.ours, kept });
    return { kind: 'merge.conflict', run, against: 'project', conflicts };
  }
  await host.noteProjectChange(run, { ...change, before: plan.tree, workspace, tree });
  const cautions = plan.cautions.map(({ path, why }) => ({ path: pathText(path), why }));
  const { changes } = plan;
  return { kind: 'merge.applied', run, project, changes: changeViews(changes), cautions, undoTo: seq };
}

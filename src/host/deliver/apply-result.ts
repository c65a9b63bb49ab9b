import { unfinishedApply } from '../../core/history/applied-changes.ts';
import type { ProjectChanged } from '../../core/record/files-fact.ts';
import type { TreeId } from '../../core/model/ids.ts';
import { applyTrees, lookAtApply } from '../../workspace/changes/apply-trees.ts';
import type { ApplyConflict } from '../../workspace/changes/check-step.ts';
import type { ApplyPlan } from '../../workspace/changes/plan-apply.ts';
import type { DeliveryContext } from './delivery-context.ts';
import { changeViews, changedPathText } from './change-view.ts';
import { standingInTheWay } from './conflict-view.ts';
import type { MergeOutcome } from './merge-outcome.ts';
import type { RunResult } from './run-result.ts';

/**
 * Writes a run's result into the user's files. Recorded first: if this process dies halfway, the journal knows both states,
 * and applying again or rolling back completes one of them. Applied again after that, it counts as one change. A change
 * without effect is not recorded.
 */
export async function applyResult(
  { world, by, note }: DeliveryContext,
  result: RunResult,
  plan: Extract<ApplyPlan, { readonly kind: 'plan' }>,
): Promise<MergeOutcome> {
  const { run, store, project, workspace, tree } = result;
  const trees = { from: plan.ours, to: plan.tree, project };
  const { conflicts, open } = await lookAtApply(store, trees);
  if (conflicts.length > 0) return inTheWay(run, conflicts);
  const records = await world.journal.read(run);
  const unfinished = unfinishedApply(records);
  if (open === 0 && unfinished === null) return { kind: 'result.unchanged', run, target: 'apply' };
  const change: ProjectChanged = {
    kind: 'project.changed',
    how: 'applied',
    before: plan.ours,
    after: plan.tree,
    kept: [],
    by,
  };
  if (open > 0) await note(run, { ...change, isBeginning: true });
  const applied = await applyTrees(store, trees);
  if (applied.kind === 'conflict') {
    const kept = applied.conflicts.map(({ path }) => changedPathText(path));
    await note(run, { ...change, how: 'rolled-back', before: plan.tree, after: plan.ours, kept });
    return inTheWay(run, applied.conflicts);
  }
  const whole = wholeTree(unfinished, open, plan.tree);
  if (whole !== null) await note(run, { ...change, before: whole, after: whole, workspace, tree });
  return {
    kind: 'result.applied',
    run,
    project,
    changes: changeViews(await changesOf(store, plan, unfinished)),
    cautions: plan.cautions.map(({ path, why }) => ({ path: changedPathText(path), why })),
    undoTo: (unfinished?.seq ?? records.length + 1) - 1,
  };
}

type Unfinished = ReturnType<typeof unfinishedApply>;

/** The tree of the files after everything was written; null if the journal already has it. */
function wholeTree(unfinished: Unfinished, open: number, tree: TreeId): TreeId | null {
  if (open > 0 || unfinished === null) return tree;
  return unfinished.isWritten ? null : unfinished.change.after;
}

/** All that this apply changed, including what an earlier process wrote. */
async function changesOf(
  store: RunResult['store'],
  plan: { readonly changes: Changes; readonly tree: TreeId },
  unfinished: Unfinished,
): Promise<Changes> {
  return unfinished === null ? plan.changes : await store.compare(unfinished.change.before, plan.tree);
}

type Changes = Extract<ApplyPlan, { readonly kind: 'plan' }>['changes'];

const inTheWay = (run: string, conflicts: readonly ApplyConflict[]): MergeOutcome => ({
  kind: 'result.conflict',
  run,
  against: 'project',
  conflicts: conflicts.map(standingInTheWay),
});

import { unfinishedApply } from '../../core/applied-changes.ts';
import type { ProjectChanged } from '../../core/files-fact.ts';
import { applyTrees, lookAtApply } from '../../workspace/changes/apply-trees.ts';
import type { ApplyConflict } from '../../workspace/changes/check-step.ts';
import type { ApplyPlan } from '../../workspace/changes/plan-apply.ts';
import type { DeliveryContext } from './delivery-context.ts';
import { changeViews, pathText } from './change-view.ts';
import { standingInTheWay } from './conflict-view.ts';
import type { MergeOutcome } from './merge-outcome.ts';
import type { RunResult } from './run-result.ts';

/**
 * Writes a run's result into the user's files. Written down first: should this process die halfway, the journal knows both
 * states, and applying again or rolling back finishes the one or the other. Applied again after that, it counts as one change.
 * What would change nothing is not written down.
 */
export async function applyResult(
  { world, by, note }: DeliveryContext,
  result: RunResult,
  plan: Extract<ApplyPlan, { readonly kind: 'plan' }>,
): Promise<MergeOutcome> {
  const { run, store, project, workspace, tree } = result;
  const trees = { from: plan.ours, to: plan.tree, project };
  const outlook = await lookAtApply(store, trees);
  if (outlook.conflicts.length > 0) return inTheWay(run, outlook.conflicts);
  const records = await world.journal.read(run);
  const unfinished = unfinishedApply(records);
  if (outlook.open === 0 && unfinished === null) return { kind: 'merge.unchanged', run, target: 'apply' };
  const undoTo = (unfinished?.seq ?? records.length + 1) - 1;
  const change: ProjectChanged = {
    kind: 'project.changed',
    how: 'applied',
    before: plan.ours,
    after: plan.tree,
    kept: [],
    by,
  };
  if (outlook.open > 0) await note(run, { ...change, isBeginning: true });
  const applied = await applyTrees(store, trees);
  if (applied.kind === 'conflict') {
    const kept = applied.conflicts.map(({ path }) => pathText(path));
    await note(run, { ...change, how: 'rolled-back', before: plan.tree, after: plan.ours, kept });
    return inTheWay(run, applied.conflicts);
  }
  const whole = outlook.open === 0 && unfinished !== null ? unfinished.change.after : plan.tree;
  if (outlook.open > 0 || unfinished?.isWritten !== true)
    await note(run, { ...change, before: whole, after: whole, workspace, tree });
  const changes = unfinished === null ? plan.changes : await store.compare(unfinished.change.before, plan.tree);
  const cautions = plan.cautions.map(({ path, why }) => ({ path: pathText(path), why }));
  return { kind: 'merge.applied', run, project, changes: changeViews(changes), cautions, undoTo };
}

const inTheWay = (run: string, conflicts: readonly ApplyConflict[]): MergeOutcome => ({
  kind: 'merge.conflict',
  run,
  against: 'project',
  conflicts: conflicts.map(standingInTheWay),
});

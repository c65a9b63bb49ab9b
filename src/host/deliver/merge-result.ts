import type { Allowed, DeliveryCheck } from '../../core/record/delivery-fact.ts';
import type { TreeId } from '../../core/model/ids.ts';
import { diffTrees, writePatch } from '../../workspace/changes/diff-trees.ts';
import type { ApplyPlan } from '../../workspace/changes/plan-apply.ts';
import { planApply } from '../../workspace/changes/plan-apply.ts';
import { writeBranch } from '../../workspace/changes/write-branch.ts';
import type { DeliveryContext } from './delivery-context.ts';
import { applyResult } from './apply-result.ts';
import { changeViews, changedPathText, viewsBeyondPatch } from './change-view.ts';
import { refuseIdle, refuseSidesFor, sideOf, type ChosenSides } from './chosen-sides.ts';
import { conflictView } from './conflict-view.ts';
import type { MergeOutcome, MergeTarget, MergeReport } from './merge-outcome.ts';
import { requireProject, type RunResult } from './run-result.ts';
import { withSetupFiles, writtenSetupFiles } from './setup-files.ts';
import { refuseDoubtful } from './result-doubt.ts';
import { holdBack, markLines, takenTree, withMarks, type MarkedResult, type ResultMarks } from './result-marks.ts';
import { steeringFiles } from './steering-files.ts';
import { verifyMerged } from './verify-merged.ts';
import { resultOwner } from './merge-target.ts';
import { refuseUnwritable } from './writable-path.ts';

export interface MergeOrder {
  readonly target: MergeTarget;
  /** A command that must succeed on the merged files. */
  readonly verify: string | null;
  readonly sides: ChosenSides;
  readonly signal: AbortSignal;
  /** What the user accepts by name. */
  readonly allow?: readonly Allowed[];
  /** Records the intent, if the journal does not have it yet. */
  readonly begin?: () => Promise<void>;
}

/**
 * Delivers a run's files to the user: as a branch, as a patch, or into the files. Merged three-way first, then checked, and
 * only then is anything written. A conflict is an outcome: nothing goes into the files then, and a branch or a patch holds
 * the run's own files.
 */
export async function mergeResult(
  context: DeliveryContext,
  result: RunResult,
  request: MergeOrder,
): Promise<MergeOutcome> {
  const { journal } = context.world;
  const { allow = [] } = request;
  const doubt = await refuseDoubtful(journal, result, { ...request, allow });
  const changes = await result.store.compare(startOf(result), result.tree);
  const steering = await steeringFiles(result.store, changes);
  const marks = { doubt, steering, isHeld: request.target.kind === 'apply' && !allow.includes('steering') };
  const outcome = await mergeTrees(context, result, { ...request, marks });
  return withMarks(withSetupFiles(outcome, await writtenSetupFiles(context.world.home, result)), marks);
}

async function mergeTrees(
  context: DeliveryContext,
  result: RunResult,
  { target, verify, sides, signal, marks, begin }: MergeOrder & { readonly marks: ResultMarks },
): Promise<MergeOutcome> {
  const { run, project, base, tree } = result;
  requireProject(project);
  refuseSidesFor(sides, target);
  if (target.kind === 'patch') refuseUnwritable(target.file, { isOver: target.isOwn || begin === undefined });
  if (base === tree) return { kind: 'result.unchanged', run, target: target.kind };
  await begin?.();
  // Git merges a branch itself, when and where the user wants it; only a check needs the merged files now.
  if (target.kind === 'branch' && verify === null) return await asBranch(context, { ...result, marks }, target.name);
  const planned = await planFor(context, result, sides);
  if (planned.kind === 'conflict') return await inConflict({ ...result, marks }, planned, { target, verify });
  const plan = await holdBack(result.store, planned, marks);
  const bring = async () => withLeftOut(await carryOut(context, { ...result, marks }, { plan, target }), plan.leftOut);
  if (verify === null) return await bring();
  const refused = await verifyMerged(context, result, { tree: plan.tree, command: verify, signal });
  return { ...(refused ?? (await bring())), check: await checkUnder(context, verify) };
}

/** Called after the check, whose command has opened the sandbox by then. */
async function checkUnder({ world, runSandbox }: DeliveryContext, command: string): Promise<DeliveryCheck> {
  const sandbox = (await world.sandbox?.()) ?? 'none';
  return { command, sandbox, ...(runSandbox === null || runSandbox === sandbox ? {} : { from: runSandbox }) };
}

/** Files that the run made and no tree holds are always listed. */
function withLeftOut(outcome: MergeOutcome, leftOut: Plan['leftOut']): MergeOutcome {
  const hasList =
    outcome.kind === 'result.unchanged' || outcome.kind === 'result.patch' || outcome.kind === 'result.applied';
  return hasList && leftOut.length > 0 ? { ...outcome, leftOut: leftOut.map(leftOutReport) } : outcome;
}

const leftOutReport = ({ path, why }: Plan['leftOut'][number]): MergeReport => ({ path: changedPathText(path), why });

async function carryOut(
  context: DeliveryContext,
  result: MarkedResult,
  { plan, target }: { readonly plan: Plan; readonly target: MergeTarget },
): Promise<MergeOutcome> {
  if (target.kind === 'branch') return await asBranch(context, result, target.name);
  if (target.kind === 'apply') {
    const tree = await takenTree(result, startOf(result), result.marks);
    return await applyResult(context, { ...result, tree }, plan);
  }
  if (plan.changes.length === 0) return { kind: 'result.unchanged', run: result.run, target: target.kind };
  return await asPatch(result, target, { before: plan.ours, after: plan.tree });
}

type Plan = Extract<ApplyPlan, { readonly kind: 'plan' }>;

async function planFor({ world }: DeliveryContext, result: RunResult, sides: ChosenSides): Promise<ApplyPlan> {
  const { store, tree, project } = result;
  const recordProject = async () => (await world.workspaces.begin(project)).tree;
  const choose = sideOf.bind(null, sides);
  const plan = await planApply(store, { base: startOf(result), theirs: tree, recordProject, choose });
  refuseIdle(sides, [...plan.settled, ...(plan.kind === 'conflict' ? plan.conflicts : [])]);
  return plan;
}

/** The tree to start from: the last one applied. A repeated apply takes all of it again, since parts may be missing. */
function startOf({ base, applied, tree }: RunResult): TreeId {
  return applied === null || applied === tree ? base : applied;
}

/** Files that are not merged cannot be checked, so nothing is written in their place. */
async function inConflict(
  result: MarkedResult,
  plan: Extract<ApplyPlan, { readonly kind: 'conflict' }>,
  { target, verify }: Pick<MergeOrder, 'target' | 'verify'>,
): Promise<MergeOutcome> {
  const conflicts = plan.conflicts.map(conflictView);
  if (target.kind !== 'patch' || verify !== null) {
    return { kind: 'result.conflict', run: result.run, against: 'project', conflicts };
  }
  const own = await asPatch(result, target, { before: startOf(result), after: result.tree });
  return { ...own, conflicts };
}

async function asBranch(
  { world: { journal } }: DeliveryContext,
  result: MarkedResult,
  name: string,
): Promise<MergeOutcome> {
  const { run, store, base, tree } = result;
  const info = await journal.run(run);
  const marks = markLines(result.marks).map((line) => `\n\n${line}`);
  const message = `${info?.title || `Files of ${info?.workflow ?? 'a run'}`}\n\nMade by the run ${run} of ${info?.workflow ?? 'Troupe'}.${marks.join('')}`;
  const written = await writeBranch(store, { ...result, name, owner: resultOwner(result), message });
  const leftOut = written.leftOut.map(leftOutReport);
  if (written.kind === 'unchanged') return { kind: 'result.unchanged', run, target: 'branch', leftOut };
  const conflicts = written.conflicts.map(conflictView);
  if (written.kind === 'conflict') return { kind: 'result.conflict', run, against: 'commit', conflicts };
  const diff = await diffTrees(store, { before: base, after: tree }, { patch: false });
  const changes = changeViews(diff.changes, diff.stat);
  const isUncommitted = ({ kind }: { readonly kind: string }) => kind === 'uncommitted';
  return {
    kind: 'result.branch',
    run,
    branch: name,
    commit: written.commit,
    changes,
    leftOut,
    conflicts: conflicts.filter((one) => !isUncommitted(one)),
    uncommitted: conflicts.filter(isUncommitted).map(({ path }) => path),
  };
}

async function asPatch(
  { run, store, marks }: MarkedResult,
  { file, isOwn }: Extract<MergeTarget, { readonly kind: 'patch' }>,
  trees: { readonly before: TreeId; readonly after: TreeId },
): Promise<Extract<MergeOutcome, { readonly kind: 'result.patch' }>> {
  const diff = await writePatch(store, { ...trees, file, overwrite: isOwn, head: markLines(marks) });
  const changes = changeViews(diff.changes, diff.stat);
  return { kind: 'result.patch', run, file, changes, beyondPatch: viewsBeyondPatch(diff), conflicts: [] };
}

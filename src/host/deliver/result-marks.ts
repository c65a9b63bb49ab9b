import type { TreeId } from '../../core/model/ids.ts';
import { type ApplyPlan, type TakenSide, takeSide } from '../../workspace/changes/plan-apply.ts';
import type { TreeEntry, TreeStore } from '../../workspace/store/port.ts';
import type { MergeOutcome } from './merge-outcome.ts';
import type { ResultDoubt } from '../../core/step/failed-check.ts';
import { resultDoubtText } from './result-doubt.ts';
import type { RunResult } from './run-result.ts';
import type { SteeringFile } from './steering-files.ts';

/** What the user must know about a result first. */
export interface ResultMarks {
  readonly doubt: ResultDoubt | null;
  readonly steering: readonly SteeringFile[];
  /** Files that steer programs are not written into the project. */
  readonly isHeld: boolean;
}

export interface MarkedResult extends RunResult {
  readonly marks: ResultMarks;
}

/** For a commit message and the head of a patch. */
export function markLines({ doubt, steering }: ResultMarks): readonly string[] {
  const files = steering.map(({ report: { path, why } }) => `- ${path}: ${why}`);
  return [
    ...(doubt === null ? [] : [resultDoubtText(doubt)]),
    ...(files.length === 0 ? [] : [`STEERS YOUR PROGRAMS:\n${files.join('\n')}`]),
  ];
}

export function withMarks(outcome: MergeOutcome, { doubt, steering, isHeld }: ResultMarks): MergeOutcome {
  const reports = steering.map(({ report }) => report);
  const isApplied = outcome.kind === 'result.applied' || outcome.kind === 'result.unchanged';
  return {
    ...outcome,
    ...(doubt === null ? {} : { unverified: doubt.why }),
    ...(reports.length === 0 ? {} : { steering: reports }),
    ...(reports.length > 0 && isHeld && isApplied ? { held: reports } : {}),
  };
}

type Plan = Extract<ApplyPlan, { readonly kind: 'plan' }>;

/** The part of a run's tree that is applied: files held back stay as they were at `start`, so that they are offered again. */
export async function takenTree(
  { store, tree }: Pick<RunResult, 'store' | 'tree'>,
  start: TreeId,
  { steering, isHeld }: ResultMarks,
): Promise<TreeId> {
  return isHeld ? await takeSide(store, tree, await sidesIn(store, start, steering)) : tree;
}

async function sidesIn(
  store: TreeStore,
  from: TreeId,
  steering: ResultMarks['steering'],
): Promise<readonly TakenSide[]> {
  const entries = await store.entries(from);
  return steering.map(({ change: { path } }) => ({
    path,
    kind: 'content',
    side: entrySide(entries.get(path) ?? null),
    from,
  }));
}

/** The plan without these files: the project keeps its own. */
export async function holdBack(store: TreeStore, plan: Plan, { steering, isHeld }: ResultMarks): Promise<Plan> {
  if (!isHeld || steering.length === 0) return plan;
  const tree = await takeSide(store, plan.tree, await sidesIn(store, plan.ours, steering));
  const held = new Set(steering.map(({ change }) => change.path));
  const cautions = plan.cautions.filter(({ path }) => !held.has(path));
  return { ...plan, tree, cautions, changes: await store.compare(plan.ours, tree) };
}

export function entrySide(entry: TreeEntry | null): TakenSide['side'] {
  if (entry?.kind === 'file') return entry;
  return entry?.kind === 'link' ? { ...entry, mode: null } : null;
}

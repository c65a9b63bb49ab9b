import type { TreeId } from '../../core/ids.ts';
import type { BytePath } from '../byte-path.ts';
import { staysInside } from '../inside-link.ts';
import type { TreeChange, TreeStore } from '../store/port.ts';
import type { Conflict } from './conflict.ts';
import { toConflict } from './conflict.ts';
import { newRepositories } from './embedded-repositories.ts';
import type { MergeLabels } from './merge-content.ts';
import type { MergedTrees } from './merge-trees.ts';
import { mergeTrees } from './merge-trees.ts';

/**
 * Finds what bringing a run's files to the user would change: three-way, against the project as it is at this moment. Nothing
 * is written to it. A plan is carried out with `applyTrees` from `ours` to `tree`.
 */
export async function planApply(store: TreeStore, options: PlanOptions): Promise<ApplyPlan> {
  const ours = await options.recordProject();
  const merged = await mergeTrees(store, {
    base: options.base,
    ours,
    theirs: options.theirs,
    labels: options.labels ?? { base: 'before the run', ours: 'your files', theirs: 'the run' },
  });
  const conflicts = [...conflictsOf(merged), ...(await repositoryConflicts(store, ours, merged.tree))];
  const { tree, leftOut, renames } = merged;
  if (conflicts.length > 0) return { kind: 'conflict', ours, tree, conflicts, leftOut, renames };
  const changes = await store.compare(ours, tree);
  return { kind: 'plan', ours, tree, changes, cautions: await linksThatLeadOut(store, changes), leftOut, renames };
}

export interface PlanOptions {
  /** What the run began with. */
  readonly base: TreeId;
  /** What the run made of it. */
  readonly theirs: TreeId;
  /** Records the user's project now, by the rules it was recorded with when the run began. */
  readonly recordProject: () => Promise<TreeId>;
  readonly labels?: MergeLabels;
}

export type ApplyPlan =
  | ({
      readonly kind: 'plan';
      /** What will be different in the project; none when it has everything already. */
      readonly changes: readonly TreeChange[];
      readonly cautions: readonly Caution[];
    } & PlanTrees)
  | ({ readonly kind: 'conflict'; readonly conflicts: readonly Conflict[] } & PlanTrees);

/** `ours`: the project as it is. `tree`: as it would be; with conflicts a tree to work on, not to apply. */
type PlanTrees = Pick<MergedTrees, 'tree' | 'leftOut' | 'renames'> & { readonly ours: TreeId };

/** Worth a look before saying yes. */
export interface Caution {
  readonly path: BytePath;
  readonly why: 'link-leads-out';
}

function conflictsOf(merged: MergedTrees): readonly Conflict[] {
  return merged.kind === 'conflict' ? merged.conflicts : [];
}

async function repositoryConflicts(store: TreeStore, ours: TreeId, tree: TreeId): Promise<readonly Conflict[]> {
  const [before, after] = await Promise.all([store.entries(ours), store.entries(tree)]);
  const asConflict = (folder: BytePath) => {
    const path = folder === '' ? 'HEAD' : `${folder}/HEAD`;
    const three = { base: null, ours: before.get(path) ?? null, theirs: after.get(path) ?? null };
    return toConflict(path, { kind: 'repository', three }, store);
  };
  return Promise.all(newRepositories(before, after).map(asConflict));
}

async function linksThatLeadOut(store: TreeStore, changes: readonly TreeChange[]): Promise<readonly Caution[]> {
  const links = changes.flatMap(({ path, after }) => (after?.kind === 'link' ? [{ path, blob: after.blob }] : []));
  const targets = await Promise.all(links.map(async ({ blob }) => (await store.read(blob)).toString('latin1')));
  return links
    .filter(({ path }, at) => !staysInside(path, targets[at] ?? ''))
    .map(({ path }) => ({ path, why: 'link-leads-out' }));
}

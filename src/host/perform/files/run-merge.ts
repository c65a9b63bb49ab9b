import type { TaskDone } from '../../../core/model/event.ts';
import { Fault } from '../../../core/model/fault.ts';
import { COMMAND_REFUSAL } from '../../../core/record/file-doubts.ts';
import type { RefusedFiles } from '../../../core/record/files-fact.ts';
import type { TreeId } from '../../../core/model/ids.ts';
import type { WorkspaceFiles } from '../../../core/fold/snapshot.ts';
import { shownPath } from '../../../lib/confined-path.ts';
import { type Conflict, unresolvedMarkers } from '../../../workspace/changes/conflict.ts';
import { mergeTrees, type MergedTrees } from '../../../workspace/changes/merge-trees.ts';
import type { TreeChange, TreeStore } from '../../../workspace/store/port.ts';
import { inConflict, markersLeft, mergeDone, notFixed, notVerified } from './merge-answers.ts';
import { checkMerge } from './merge-checks.ts';
import { mergeFacts } from './merge-facts.ts';
import type { LoggedMerge } from './merge-log.ts';
import { mergeSides, type MergeRun, type MergeParties } from './merge-sides.ts';
import { asConflicts, openConflicts, stillOpen } from './open-conflicts.ts';
import type { EffectContext } from '../../world.ts';
import { rootOf } from './places.ts';
import type { WorkspaceWriter } from './workspace-writer.ts';

/**
 * Merges one workspace into another: three-way, checked on a scratch tree first (`merge-checks.ts`), then taken over as a
 * whole. Files in conflict and files that fail a check are not taken over: they go to the author's workspace to be fixed,
 * which is marked as refused until a later merge of it succeeds.
 */
export async function runMerge(context: EffectContext, effect: MergeRun): Promise<TaskDone> {
  const { places } = context;
  const sides = await mergeSides(context, effect);
  const { source, target } = sides;
  if (source.name === target.name) return mergeDone(effect, { merged: false, changes: 0 });
  // Both are locked, always in the same order, so that no two merges wait for each other.
  const [first, second] = [source, target].sort((a, b) => (a.name < b.name ? -1 : 1));
  if (first === undefined || second === undefined) throw new Fault('INTERNAL', 'A merge has two sides.');
  return await places.write(context, first, (one) =>
    places.write(context, second, async (other) => {
      const [from, into] = first === source ? [one, other] : [other, one];
      return await merge(context, await startMerge(context, { effect, sides, from, into }));
    }),
  );
}

interface MergeInput {
  readonly effect: MergeRun;
  readonly sides: MergeParties;
  readonly from: WorkspaceWriter;
  readonly into: WorkspaceWriter;
}

interface Merge extends MergeInput {
  readonly store: TreeStore;
  /** In a second try the trees of the first one: the author's own work, and what it started from. */
  readonly own: RefusedFiles['own'];
  readonly base: RefusedFiles['base'];
  readonly siblings: readonly LoggedMerge[];
}

async function startMerge(context: EffectContext, input: MergeInput): Promise<Merge> {
  const { world, snapshot, places, run } = context;
  const { sides, from } = input;
  const { own, base } = refusedByMerge(from) ?? { own: from.files.tree, base: from.files.base };
  const log = await places.mergeLog(rootOf(run));
  const siblings = log.since(sides.target.name, sides.source.name, base);
  return { ...input, own, base, siblings, store: await world.workspaces.store(snapshot.project) };
}

async function merge(context: EffectContext, order: Merge): Promise<TaskDone> {
  const { effect, sides, from, into, store } = order;
  const unsettled = await refusedBefore(order);
  if (unsettled !== null) return unsettled;
  const [theirs, ours, base] = [from.files.tree, into.files.tree, from.files.base];
  const changes = await store.compare(base, theirs);
  const labels = { base: 'before', ours: sides.target.name, theirs: sides.source.name };
  const merged = await mergeTrees(store, { base, ours, theirs, labels });
  if (merged.kind === 'conflict') return await holdConflict(order, merged);
  const { tree } = merged;
  const trees = { base: order.base, own: order.own, ours, merged: tree };
  const { siblings } = order;
  const { red, passed } = await checkMerge(context, { effect, trees, target: sides.target.name, siblings, store });
  const [first, ...more] = red;
  if (first !== undefined) {
    const answer = notVerified(effect, [first, ...more], await factsOf(order));
    const commands = red.map(({ command }) => command);
    await holdRefused(order, { code: 'MERGE_NOT_VERIFIED', answer, tree, commands });
    return answer;
  }
  const kept = [...new Set([...passed, ...(effect.checks ?? [])])];
  const refusal = carriedRefusal(from, tree, passed);
  await into.restoreTree(tree, {
    why: 'merge',
    from: sides.source.name,
    author: sides.author,
    passed: kept,
    ...refusal,
  });
  from.recordChange({ tree: theirs, base: theirs, why: 'merge', open: null, refused: null });
  return mergeDone(effect, { merged: true, changes: changes.length, files: await filesOf(order, changes) });
}

/** A command that failed on the author's files failed on the merged ones, if they are the same and no check has passed since. */
function carriedRefusal(
  { files: { refused } }: WorkspaceWriter,
  tree: TreeId,
  passed: readonly string[],
): { readonly refused?: RefusedFiles } {
  return refused?.code === COMMAND_REFUSAL && refused.tree === tree && passed.length === 0 ? { refused } : {};
}

/** The author's changes: before a refused merge, and to fix it. */
async function filesOf({ store, base, own }: Merge, changes: readonly TreeChange[]): Promise<string[]> {
  const before = await store.compare(base, own);
  const paths = new Set([...before, ...changes].map(({ path }) => shownPath(Buffer.from(path, 'latin1'))));
  return [...paths].slice(0, MOST_FILES);
}

/** As many as an agent that continues from them would read. */
const MOST_FILES = 200;

const factsOf = ({ store, base, own, into, sides, siblings }: Merge) =>
  mergeFacts(store, { base, own, ours: into.files.tree }, { author: sides.author, siblings });

/** Both sides go into the author's workspace, with markers where a file can have them. */
async function holdConflict(
  order: Merge,
  { tree, conflicts }: Extract<MergedTrees, { kind: 'conflict' }>,
): Promise<TaskDone> {
  const { effect, from, into, sides, own, base } = order;
  const answer = inConflict(effect, { conflicts, unresolved: [], facts: await factsOf(order) });
  const open = openConflicts(conflicts, { base: from.files.base, since: tree });
  const refused: RefusedFiles = {
    code: 'MERGE_CONFLICT',
    why: answer.failure?.message ?? '',
    tree,
    openPaths: open?.paths.length ?? 0,
    own,
    base,
    commands: [],
    paths: conflicts.map(({ path }) => path),
  };
  await from.restoreTree(tree, { why: 'conflict', base: into.files.tree, from: sides.target.name, open, refused });
  return answer;
}

interface Refusal extends Pick<RefusedFiles, 'code' | 'tree' | 'commands'> {
  readonly answer: TaskDone;
}

/** Files that failed a check exist nowhere else: the agent that has to fix them must see both sides together. */
async function holdRefused(order: Merge, { code, tree, commands, answer }: Refusal): Promise<void> {
  const { from, into, sides, own, base } = order;
  const why = answer.failure?.message ?? '';
  const refused: RefusedFiles = { code, why, tree, openPaths: 0, own, base, commands, paths: [] };
  await from.restoreTree(tree, { why: 'merge', base: into.files.tree, from: sides.target.name, open: null, refused });
}

/** An earlier merge asked the author for a fix that is not done: nothing is merged before. */
async function refusedBefore(order: Merge): Promise<TaskDone | null> {
  const { effect, store, from, into } = order;
  const refused = refusedByMerge(from);
  const left = await leftUnsettled(store, from.files);
  // If the target has changed since, the same files may fit now.
  const isSameTarget = into.files.tree === from.files.base;
  if (refused !== undefined && isSameTarget && isUntouched(from.files, refused)) {
    return notFixed(effect, refused, { ...left, facts: await factsOf(order) });
  }
  const { conflicts, unresolved } = left;
  if (conflicts.length > 0) return inConflict(effect, { ...left, facts: await factsOf(order) });
  return unresolved.length === 0 ? null : markersLeft(effect, { unresolved, facts: await factsOf(order) });
}

/** A failed command of the author does not matter to the merge, which has its own checks. */
function refusedByMerge({ files: { refused } }: WorkspaceWriter): RefusedFiles | undefined {
  return refused?.code === COMMAND_REFUSAL ? undefined : refused;
}

/** No file was changed since, and no conflict without markers was resolved. */
const isUntouched = ({ tree, open }: WorkspaceFiles, refused: RefusedFiles): boolean =>
  tree === refused.tree && (open?.paths.length ?? 0) === refused.openPaths;

interface Unsettled {
  readonly conflicts: readonly Conflict[];
  readonly unresolved: readonly string[];
}

async function leftUnsettled(store: TreeStore, files: WorkspaceFiles): Promise<Unsettled> {
  const { tree, base, open } = files;
  const changes = await store.compare(base, tree);
  const paths = changes.map(({ path }) => path);
  const marks = await unresolvedMarkers(store, { tree, base }, paths);
  const unresolved = marks.map(({ path, line }) => `${shownPath(Buffer.from(path, 'latin1'))}:${line}`);
  const still = await stillOpen(store, files);
  if (open === undefined || still.length === 0) return { conflicts: [], unresolved };
  return { conflicts: await asConflicts(store, tree, { open, still }), unresolved };
}

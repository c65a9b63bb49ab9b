import type { Effect } from '../../core/effect.ts';
import type { TaskDone } from '../../core/event.ts';
import { Fault } from '../../core/fault.ts';
import { foldRecords } from '../../core/fold.ts';
import type { TreeId } from '../../core/ids.ts';
import type { Json } from '../../core/json.ts';
import type { Failure } from '../../core/outcome.ts';
import type { WorkspaceFiles } from '../../core/snapshot.ts';
import { workspaceOf } from '../../core/workspace-name.ts';
import { shownPath } from '../../lib/confined-path.ts';
import type { Conflict } from '../../workspace/changes/conflict.ts';
import { mergeTrees } from '../../workspace/changes/merge-trees.ts';
import { unresolvedMarkers } from '../../workspace/changes/unresolved-markers.ts';
import type { TreeStore } from '../../workspace/store/port.ts';
import { commandFailure } from '../../tools/shell.ts';
import { commandLimit } from './command-limit.ts';
import { conflictAdvice } from './conflict-advice.ts';
import { asConflicts, openConflicts, stillOpen } from './open-conflicts.ts';
import type { Performance } from './performance.ts';
import { rootOf } from './places.ts';
import { usersCopies } from './programs/review/users-copies.ts';
import { refuseFullDisk } from './run-tool.ts';
import { unitWorkspace } from './unit-workspace.ts';
import type { Wanted, Writing } from './writing.ts';
import { conflictJson } from './conflict-json.ts';

type MergeRun = Extract<Effect, { kind: 'merge.run' }>;

/**
 * Brings one workspace into another: three-way, tested on a scratch tree first, then taken over as a whole. In conflict
 * nothing is taken over; the author's workspace gets both sides with markers, so that its agent can settle them. Merged files
 * that do not pass are put there too, so that it can mend them.
 */
export async function runMerge(performance: Performance, effect: MergeRun): Promise<TaskDone> {
  const { places } = performance;
  const { source, target } = await sides(performance, effect);
  if (source.name === target.name) return done(effect, { merged: false, changes: 0 });
  // Both are needed, and always taken in one order, so that no two merges wait for each other.
  const [first, second] = [source, target].sort((a, b) => (a.name < b.name ? -1 : 1));
  if (first === undefined || second === undefined) throw new Fault('INTERNAL', 'A merge has two sides.');
  return await places.write(performance, first, (one) =>
    places.write(performance, second, (other) => {
      const [from, into] = first === source ? [one, other] : [other, one];
      return merge(performance, { effect, from, into, source, target });
    }),
  );
}

async function sides(
  performance: Performance,
  { agent: name, unit, task }: MergeRun,
): Promise<{ source: Wanted; target: Wanted }> {
  const { snapshot, definition, world } = performance;
  const own = snapshot.workspace;
  if (unit !== undefined) {
    const source = await unitWorkspace(world.journal, snapshot, unit);
    return { source: { name: source, from: own, task }, target: { name: own, task } };
  }
  if (name === null) {
    if (snapshot.parent === null)
      throw new Fault('MERGE_NO_PARENT', 'The run was started by nobody it could merge into.');
    const parent = foldRecords(await world.journal.read(snapshot.parent));
    return { source: { name: own, from: parent.workspace, task }, target: { name: parent.workspace, task } };
  }
  const agent = definition.workflow.agents.find((one) => one.name === name);
  if (agent === undefined) throw new Fault('AGENT_UNKNOWN', `There is no agent ${name} whose work could be merged.`);
  return { source: { name: workspaceOf(snapshot, agent), from: own, task }, target: { name: own, task } };
}

interface Merge {
  readonly effect: MergeRun;
  readonly from: Writing;
  readonly into: Writing;
  readonly source: Wanted;
  readonly target: Wanted;
}

async function merge(performance: Performance, { effect, from, into, source, target }: Merge): Promise<TaskDone> {
  const { world, snapshot } = performance;
  const store = await world.workspaces.store(snapshot.project);
  const [theirs, ours, base] = [from.files.tree, into.files.tree, from.files.base];
  const changes = await store.compare(base, theirs);
  const unsettled = await unsettledBefore(store, effect, from.files);
  if (unsettled !== null) return unsettled;
  const labels = { base: 'before', ours: target.name, theirs: source.name };
  const merged = await mergeTrees(store, { base, ours, theirs, labels });
  if (merged.kind === 'conflict') {
    const open = openConflicts(merged.conflicts, { base, since: merged.tree });
    await from.hold(merged.tree, { why: 'conflict', base: ours, from: target.name, open });
    return inConflict(effect, merged.conflicts);
  }
  const { tree } = merged;
  const refused = effect.verify === undefined ? null : await verify(performance, effect, { tree, ours, target, store });
  if (refused !== null) {
    // What did not pass is nowhere else: whoever is to mend it must see both sides together.
    await from.hold(merged.tree, { why: 'merge', base: ours, from: target.name, open: null });
    return refused;
  }
  await into.hold(merged.tree, { why: 'merge', from: source.name });
  from.is({ tree: theirs, base: theirs, why: 'merge', open: null });
  return done(effect, { merged: true, changes: changes.length });
}

interface Verifying {
  readonly tree: TreeId;
  /** What the target had before the merge. */
  readonly ours: TreeId;
  readonly target: Wanted;
  readonly store: TreeStore;
}

/** The command runs where the merged files are and nothing else is, before anybody works on them: one place a target, which is ours now. */
async function verify(
  performance: Performance,
  effect: MergeRun,
  { target, ...merged }: Verifying,
): Promise<TaskDone | null> {
  const { world, run, snapshot, places, signal } = performance;
  const { verify: command = '', task } = effect;
  const began = await places.began(performance);
  const tree = await verifiedTree(effect, merged);
  const scratch = await world.workspaces.open({
    root: rootOf(run),
    name: `${target.name}.scratch`,
    project: snapshot.project,
    tree,
    began,
    signal,
  });
  const limit = commandLimit(performance, task);
  const result = await world.shell(command, { place: scratch, access: 'write', network: false, signal, ...limit });
  const failure = commandFailure(result);
  if (failure === null) return null;
  refuseFullDisk(scratch);
  const how = result.exitCode === null ? failure.message : `exit code ${result.exitCode}`;
  const message = `The merged files do not pass \`${command}\` (${how}).`;
  const output = { command, exitCode: result.exitCode, output: result.output };
  const because: Failure = { code: 'MERGE_NOT_VERIFIED', message, class: 'logic' };
  return { kind: 'task.done', task, outcome: 'failed', output, failure: because };
}

/** Whoever is measured does not choose the measure (L4). */
async function verifiedTree(effect: MergeRun, { tree, ours, store }: Omit<Verifying, 'target'>): Promise<TreeId> {
  const { verify: command = '', protect } = effect;
  if (protect === undefined) return tree;
  return (await usersCopies(store, { base: ours, tree, command, protect })).tree;
}

const done = ({ task }: MergeRun, output: Json): TaskDone => ({
  kind: 'task.done',
  task,
  outcome: 'ok',
  output,
  failure: null,
});

function inConflict({ task }: MergeRun, conflicts: readonly Conflict[], unresolved: readonly string[] = []): TaskDone {
  const count = conflicts.length;
  const failure: Failure = {
    code: 'MERGE_CONFLICT',
    message: `${count} ${count === 1 ? 'file is' : 'files are'} in conflict.`,
    class: 'logic',
    hint: 'Let the agent of the author settle them (`result.advice` tells it how), then merge again.',
  };
  const output = {
    conflicts: conflicts.map(conflictJson),
    ...(unresolved.length === 0 ? {} : { unresolved: [...unresolved] }),
    advice: conflictAdvice(conflicts, unresolved),
  };
  return { kind: 'task.done', task, outcome: 'blocked', output, failure };
}

/** What an earlier merge asked of the author and the author has not done: nothing is merged before. */
async function unsettledBefore(store: TreeStore, effect: MergeRun, files: WorkspaceFiles): Promise<TaskDone | null> {
  const { tree, base, open } = files;
  const changes = await store.compare(base, tree);
  const paths = changes.map(({ path }) => path);
  const marks = await unresolvedMarkers(store, { tree, base }, paths);
  const unresolved = marks.map(({ path, line }) => `${shownPath(Buffer.from(path, 'latin1'))}:${line}`);
  const still = await stillOpen(store, files);
  if (open !== undefined && still.length > 0) {
    return inConflict(effect, await asConflicts(store, tree, { open, still }), unresolved);
  }
  return unresolved.length === 0 ? null : withMarks(effect, unresolved);
}

function withMarks({ task }: MergeRun, unresolved: readonly string[]): TaskDone {
  const failure: Failure = {
    code: 'MERGE_UNRESOLVED',
    message: `There are still conflict markers in ${unresolved.slice(0, 10).join(', ')}.`,
    class: 'logic',
    hint: 'Let the agent settle them, then merge again.',
  };
  const output = { unresolved: [...unresolved], advice: conflictAdvice([], unresolved) };
  return { kind: 'task.done', task, outcome: 'blocked', output, failure };
}

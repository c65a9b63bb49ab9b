import type { Effect } from '../../../core/model/effect.ts';
import { Fault } from '../../../core/model/fault.ts';
import { foldRecords } from '../../../core/fold/fold.ts';
import { taskId, type RunId, type TreeId } from '../../../core/model/ids.ts';
import type { Snapshot } from '../../../core/fold/snapshot.ts';
import { workspaceOf } from '../../../core/model/workspace-name.ts';
import type { EffectContext } from '../../world.ts';
import { unitWorkspace } from './unit-workspace.ts';
import type { WorkspaceRequest } from './workspace-writer.ts';

export type MergeRun = Extract<Effect, { kind: 'merge.run' }>;

/** Which workspace is merged into which, and whose work it is. */
export interface MergeParties {
  readonly source: WorkspaceRequest;
  readonly target: WorkspaceRequest;
  /** The agent, or the unit of a pool whose run did the work. */
  readonly author: string;
}

export async function mergeSides(context: EffectContext, effect: MergeRun): Promise<MergeParties> {
  const { snapshot, definition, world } = context;
  const { agent: name, unit, task } = effect;
  const own = snapshot.workspace;
  if (unit !== undefined) {
    const source = await unitWorkspace(world.journal, snapshot, unit);
    return { source: { name: source, from: own, task }, target: { name: own, task }, author: unit };
  }
  if (name === null) {
    if (snapshot.parent === null)
      throw new Fault('MERGE_NO_PARENT', 'No run started this one, so it can merge nowhere.');
    const parent = foldRecords(await world.journal.read(snapshot.parent));
    const author = unitName(parent, context.run) ?? snapshot.workflow;
    return { source: { name: own, from: parent.workspace, task }, target: { name: parent.workspace, task }, author };
  }
  const agent = definition.workflow.agents.find((one) => one.name === name);
  if (agent === undefined) throw new Fault('AGENT_UNKNOWN', `There is no agent ${name} whose work could be merged.`);
  const source = { name: workspaceOf(snapshot, agent), from: own, task };
  return { source, target: { name: own, task }, author: name };
}

/** A child run is named after the task that started it. */
function unitName({ run: parent, tasks }: Snapshot, run: RunId): string | null {
  return tasks[taskId(run.slice(parent.length + 1))]?.unit ?? null;
}

/** The trees of a merge. A second try keeps `base` and `own` of the first: the author's own work, and what it started from. */
export interface MergeTrees {
  readonly base: TreeId;
  readonly own: TreeId;
  /** The tree of the target. */
  readonly ours: TreeId;
  readonly merged: TreeId;
}

/** Others changed the target since the author began. */
export const isJoined = ({ base, ours }: Pick<MergeTrees, 'base' | 'ours'>): boolean => base !== ours;

import type { ComputeRun } from '../../../core/model/effect.ts';
import type { TreeId } from '../../../core/model/ids.ts';
import type { AgentSpec } from '../../../core/model/workflow.ts';
import { workspaceOf } from '../../../core/model/workspace-name.ts';
import type { Workspace } from '../../../workspace/port.ts';
import type { EffectContext } from '../../world.ts';
import type { WorkspaceRequest } from '../files/workspace-writer.ts';

/** A workspace at one moment: no other writer is active while a program reads it. */
export interface Held {
  readonly workspace: Workspace;
  /** Its tree, kept in the store. */
  readonly tree: TreeId;
}

/** Exclusive access to the workspace of the agent the program works for; that of the run if there is no agent. */
export async function inPlace<T>(
  context: EffectContext,
  effect: ComputeRun,
  work: (held: Held) => Promise<T>,
): Promise<T> {
  return await context.places.write(context, workspaceRequest(context, effect), async (writing) => {
    writing.touched([]);
    return await work({ workspace: writing.workspace, tree: writing.files.tree });
  });
}

export function workspaceRequest(context: EffectContext, effect: ComputeRun): WorkspaceRequest {
  const { snapshot } = context;
  return {
    name: workspaceOf(snapshot, agentOfPlace(context, effect)),
    from: snapshot.workspace,
    task: effect.task,
  };
}

export function agentOfPlace({ definition }: EffectContext, { agent }: ComputeRun): AgentSpec | null {
  return definition.workflow.agents.find(({ name }) => name === agent) ?? null;
}

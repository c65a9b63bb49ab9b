import type { ComputeRun } from '../../../core/model/effect.ts';
import { Fault } from '../../../core/model/fault.ts';
import type { WorkspaceFiles } from '../../../core/fold/snapshot.ts';
import type { TreeStore } from '../../../workspace/store/port.ts';
import type { EffectContext } from '../../../host/world.ts';
import type { WorkspaceRequest, WorkspaceWriter } from '../../../host/perform/files/workspace-writer.ts';
import { workspaceRequest } from '../../../host/perform/commands/in-place.ts';

/** The workspace of an agent that the input names. It is never another one's because a name is wrong. */
export function agentWorkspaceRequest(context: EffectContext, effect: ComputeRun, agent: string): WorkspaceRequest {
  if (isAgent(context, agent)) return workspaceRequest(context, { ...effect, agent });
  throw new Fault(
    'PROGRAM_INPUT',
    `"${effect.program}" was given the agent "${agent}", which the workflow does not have.`,
    {
      hint: 'The workflow that asks for it does not fit this version.',
    },
  );
}

export const isAgent = ({ definition }: EffectContext, agent: string): boolean =>
  definition.workflow.agents.some(({ name }) => name === agent);

/** Exclusive; a caller that changes the files says so. */
export async function inPlaceOf<T>(
  context: EffectContext,
  request: WorkspaceRequest,
  work: (writing: WorkspaceWriter) => Promise<T>,
): Promise<T> {
  return await context.places.write(context, request, async (writing) => {
    writing.touched([]);
    return await work(writing);
  });
}

/** An agent's workspace now, and at its start. */
export async function filesOfAgent(context: EffectContext, effect: ComputeRun, agent: string): Promise<WorkspaceFiles> {
  return await inPlaceOf(context, agentWorkspaceRequest(context, effect, agent), async ({ files }) => files);
}

export async function storeOf({ world, snapshot }: EffectContext): Promise<TreeStore> {
  return await world.workspaces.store(snapshot.project);
}

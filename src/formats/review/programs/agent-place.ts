import type { ComputeRun } from '../../../core/model/effect.ts';
import { Fault } from '../../../core/model/fault.ts';
import type { WorkspaceFiles } from '../../../core/fold/snapshot.ts';
import type { TreeStore } from '../../../workspace/store/port.ts';
import type { Performance } from '../../../host/world.ts';
import type { WorkspaceRequest, Writing } from '../../../host/perform/files/writing.ts';
import { workspaceRequest } from '../../../host/perform/commands/in-place.ts';

/** The workspace of an agent that the input names. It is never another one's because a name is wrong. */
export function agentWorkspaceRequest(performance: Performance, effect: ComputeRun, agent: string): WorkspaceRequest {
  if (isAgent(performance, agent)) return workspaceRequest(performance, { ...effect, agent });
  throw new Fault(
    'PROGRAM_INPUT',
    `"${effect.program}" was given the agent "${agent}", which the workflow does not have.`,
    {
      hint: 'The workflow that asks for it does not fit this version.',
    },
  );
}

export const isAgent = ({ definition }: Performance, agent: string): boolean =>
  definition.workflow.agents.some(({ name }) => name === agent);

/** Exclusive; a caller that changes the files says so. */
export async function inPlaceOf<T>(
  performance: Performance,
  request: WorkspaceRequest,
  work: (writing: Writing) => Promise<T>,
): Promise<T> {
  return await performance.places.write(performance, request, async (writing) => {
    writing.touched([]);
    return await work(writing);
  });
}

/** An agent's workspace now, and at its start. */
export async function filesOfAgent(
  performance: Performance,
  effect: ComputeRun,
  agent: string,
): Promise<WorkspaceFiles> {
  return await inPlaceOf(performance, agentWorkspaceRequest(performance, effect, agent), async ({ files }) => files);
}

export async function storeOf({ world, snapshot }: Performance): Promise<TreeStore> {
  return await world.workspaces.store(snapshot.project);
}

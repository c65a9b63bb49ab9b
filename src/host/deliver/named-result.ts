import { foldRecords } from '../../core/fold/fold.ts';
import { bodyHash } from '../../core/model/ids.ts';
import type { RunId } from '../../core/model/ids.ts';
import type { Definition } from '../../core/model/definition.ts';
import type { Snapshot } from '../../core/fold/snapshot.ts';
import { workspaceOf } from '../../core/model/workspace-name.ts';
import type { Journal } from '../../journal/port.ts';

/** A run as a command names it, with the agent or the workspace: `7k2m --agent coder`. */
export async function namedResult(journal: Journal, run: RunId, workspace: string): Promise<string> {
  const snapshot = foldRecords(await journal.read(run));
  if (workspace === snapshot.workspace) return run;
  const agent = await agentIn(journal, snapshot, workspace);
  return agent === null ? `${run} --workspace ${workspace}` : `${run} --agent ${agent}`;
}

/** The agent that works there alone or first; null for a workspace of a child run, and for the one that the run's agents share. */
export async function agentIn(journal: Journal, snapshot: Snapshot, workspace: string): Promise<string | null> {
  if (workspace === snapshot.workspace) return null;
  const { workflow } = (await journal.getBody(bodyHash(snapshot.definition))) as unknown as Definition;
  return workflow.agents.find((one) => workspaceOf(snapshot, one) === workspace)?.name ?? null;
}

import { foldRecords } from '../../core/fold.ts';
import { bodyHash } from '../../core/ids.ts';
import type { RunId } from '../../core/ids.ts';
import type { Definition } from '../../core/role.ts';
import { workspaceOf } from '../../core/workspace-name.ts';
import type { Journal } from '../../journal/port.ts';

/** A run as a command names it, with the agent whose workspace is meant, or the workspace itself: `7k2m --agent coder`. */
export async function namedResult(journal: Journal, run: RunId, workspace: string): Promise<string> {
  const snapshot = foldRecords(await journal.read(run));
  if (workspace === snapshot.workspace) return run;
  const { workflow } = (await journal.getBody(bodyHash(snapshot.definition))) as unknown as Definition;
  const agent = workflow.agents.find((one) => workspaceOf(snapshot, one) === workspace);
  return agent === undefined ? `${run} --workspace ${workspace}` : `${run} --agent ${agent.name}`;
}

import type { RunId } from './ids.ts';
import type { Snapshot } from '../fold/snapshot.ts';
import type { AgentSpec } from './workflow.ts';

/** The default workspace that the agents of a root run share. */
export const MAIN_WORKSPACE = 'main';

/** The workspace of an agent, by a name that is the same for all runs below one root. */
export function workspaceOf({ run, workspace }: Pick<Snapshot, 'run' | 'workspace'>, agent: AgentSpec | null): string {
  const choice = agent?.workspace ?? 'shared';
  if (agent === null || choice === 'shared') return workspace;
  return scoped(run, choice === 'own' ? agent.name : choice);
}

/** The workspace that a child run shares when it has its own. */
export const childWorkspace = (child: RunId): string => scoped(child, 'shared');

/** The prefix of the names of all workspaces of a run and of the runs below it. */
export const workspaceScope = (run: RunId): string => scoped(run, '');

/** Names of child runs are prefixed, so that two children of one pool never share a folder by accident. */
function scoped(run: RunId, name: string): string {
  const way = run.split('/').slice(1);
  return way.length === 0 ? name : `${way.join('.')}.${name}`;
}

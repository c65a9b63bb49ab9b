import type { RunId } from './ids.ts';
import type { Snapshot } from '../fold/snapshot.ts';
import type { AgentSpec } from './workflow.ts';

/** The workspace of a root run that agents share unless something else is said. */
export const MAIN_WORKSPACE = 'main';

/** Where an agent works, by a name that is the same for all runs below one root. */
export function workspaceOf({ run, workspace }: Pick<Snapshot, 'run' | 'workspace'>, agent: AgentSpec | null): string {
  const wanted = agent?.workspace ?? 'shared';
  if (agent === null || wanted === 'shared') return workspace;
  return scoped(run, wanted === 'own' ? agent.name : wanted);
}

/** The workspace a child run shares when it was given one of its own. */
export const childWorkspace = (child: RunId): string => scoped(child, 'shared');

/** What the names of all workspaces begin with that belong to a run or to one below it. */
export const workspaceScope = (run: RunId): string => scoped(run, '');

/** A child's names are its own: two children of one pool must not meet in one folder by accident. */
function scoped(run: RunId, name: string): string {
  const way = run.split('/').slice(1);
  return way.length === 0 ? name : `${way.join('.')}.${name}`;
}

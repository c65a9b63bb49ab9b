import { runId, type RunId } from './ids.ts';
import type { Snapshot } from '../fold/snapshot.ts';
import type { AgentSpec } from './workflow.ts';

/** The default workspace that the agents of a root run share. */
export const MAIN_WORKSPACE = 'main';

/** The workspace of an agent, by a name that is the same for all runs below one root. */
export function workspaceOf(of: RunWithFiles, agent: AgentSpec | null): string {
  const choice = agent?.workspace ?? 'shared';
  if (agent === null || choice === 'shared') return of.workspace;
  return scoped(agentsRun(of), choice === 'own' ? agent.name : choice);
}

export type RunWithFiles = Pick<Snapshot, 'run' | 'workspace'> & Partial<Pick<Snapshot, 'apart'>>;

/** The run whose agents work there: the one above where the run is one of its turns. */
export const agentsRun = ({ run, apart = null }: Pick<RunWithFiles, 'run' | 'apart'>): RunId =>
  apart === null ? run : runId(run.slice(0, run.lastIndexOf('/')));

/** The workspace that a child run shares when it has its own. */
export const childWorkspace = (child: RunId): string => scoped(child, 'shared');

/** The prefix of the names of all workspaces of a run and of the runs below it. */
export const workspaceScope = (run: RunId): string => scoped(run, '');

/** Names of child runs are prefixed, so that two children of one pool never share a folder by accident. */
function scoped(run: RunId, name: string): string {
  const way = run.split('/').slice(1);
  return way.length === 0 ? name : `${way.join('.')}.${name}`;
}

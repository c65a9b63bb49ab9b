import type { RunId } from '../../core/ids.ts';
import { refuseDriven } from '../../host/deliver/run-result.ts';
import type { Rewound } from '../../host/port.ts';
import type { Session } from '../runs/session.ts';
import { undoInProject, type UndoneProject } from './project-undo.ts';
import { planRollback, type RollbackPlan, type RollbackRequest } from './rollback-plan.ts';

/** What a rollback would do. A run that is driven is refused. */
export async function rollbackPlan(session: Session, run: RunId, request: RollbackRequest): Promise<PlannedRollback> {
  await refuseDriven(session.store.journal, run);
  const plan = await planRollback(session, run, request);
  const { projectFiles, projectConflicts, workspaces, conversation } = plan;
  const isInWorkspaces = workspaces.some(({ changes, isDropped }) => changes.length > 0 || isDropped === true);
  const isInProject = projectFiles.length + projectConflicts.length > 0;
  return { plan, isUnchanged: !isInWorkspaces && !isInProject && conversation === null };
}

export interface PlannedRollback {
  readonly plan: RollbackPlan;
  readonly isUnchanged: boolean;
}

export interface RolledBack extends Rewound {
  readonly project: UndoneProject;
}

/** The run first: what is written down about the project afterwards is then taken back when somebody undoes this. */
export async function rollBack(session: Session, plan: RollbackPlan): Promise<RolledBack> {
  const { run, project, to, store, conversation, projectChanges } = plan;
  const { by } = session;
  const parts = { files: store !== null, conversation: conversation !== null };
  const rewound = await session.host.rewind(run, { to, ...parts, by });
  const undone = store === null ? NOTHING : await undoInProject(session, { run, project, store }, projectChanges);
  return { ...rewound, project: undone };
}

const NOTHING: UndoneProject = { changed: [], conflicts: [] };

/** For programs. */
export function planLine(plan: RollbackPlan) {
  const { run, to, end, workspaces, conversation, projectFiles: files, projectConflicts: conflicts } = plan;
  return { kind: 'rollback.plan', run, to, end, project: { files, conflicts }, workspaces, conversation };
}

export const unchangedLine = ({ run, to }: RollbackPlan) => ({ kind: 'rollback.unchanged', run, to });

export const rolledBackLine = (plan: RollbackPlan, done: RolledBack) => ({
  kind: 'run.rolled-back',
  run: plan.run,
  to: plan.to,
  ...done,
  ...staying(plan),
});

/** Too large for any record, and so not destroyed. */
function staying({ workspaces }: RollbackPlan): { readonly stayed?: readonly object[] } {
  const stayed = workspaces.flatMap(({ workspace, stays }) => stays.map((path) => ({ workspace, path })));
  return stayed.length === 0 ? {} : { stayed };
}

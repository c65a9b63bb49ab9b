import type { RunId } from '../../core/model/ids.ts';
import { refuseDriven, requireProject } from '../../host/deliver/run-result.ts';
import type { Rewound } from '../../host/port.ts';
import type { Session } from '../runs/session.ts';
import { previewUndo, undoInProject, type UndoneProject } from './project-undo.ts';
import type { JournalRecord } from '../../core/record/fact.ts';
import type { ProjectChanged } from '../../core/record/files-fact.ts';
import { foldRecords } from '../../core/fold/fold.ts';
import type { Snapshot } from '../../core/fold/snapshot.ts';
import { stepEnd } from '../../core/step/step-end.ts';
import { MAIN_WORKSPACE } from '../../core/model/workspace-name.ts';
import type { TreeStore } from '../../workspace/store/port.ts';
import { hasOnlyCopy } from '../../workspace/store/restore-folder.ts';
import { changedPathText, type ChangeView, changeViews } from '../../host/deliver/change-view.ts';
import { findFiles, type RunFiles, treeOf } from '../../host/deliver/find-files.ts';
import { runTreeOnDisk } from './run-diff.ts';
import { requireTrees } from '../../host/deliver/kept-trees.ts';
import type { ConflictView } from '../../host/deliver/conflict-view.ts';
import { changesToUndo } from '../../core/history/applied-changes.ts';
import { stepOption } from '../runs/find-run.ts';

/** The effects of a rollback, computed before anything is done. */
export interface RollbackPlan {
  readonly run: RunId;
  readonly project: string;
  readonly to: number;
  /** Where the step of that record ends: the run is put back to there. */
  readonly end: number;
  /** Null where there are no files to put back, or none are to be. */
  readonly store: TreeStore | null;
  readonly workspaces: readonly WorkspaceBack[];
  readonly projectChanges: readonly ProjectChanged[];
  readonly projectFiles: readonly ChangeView[];
  /** Changes that stay, since the user changed the same lines meanwhile. */
  readonly projectConflicts: readonly ConflictView[];
  readonly conversation: ConversationBack | null;
}

export interface WorkspaceBack {
  readonly workspace: string;
  readonly changes: readonly ChangeView[];
  /** Paths of what no record holds: a rollback does not destroy it. */
  readonly stays: readonly string[];
  /** The workspace did not exist yet: nothing is restored, and it is created again with the next work there. */
  readonly isDropped?: true;
}

export interface ConversationBack {
  readonly from: string;
  readonly to: string;
  /** How many messages are taken back. */
  readonly messages: number;
  /** At the record it goes back to it was over already. */
  readonly isSettled: boolean;
}

export interface RollbackRequest {
  /** A step of the run; its start where none is named. */
  readonly to?: string;
  readonly only?: 'files' | 'conversation';
}

type Opened = Pick<Session, 'store' | 'world'>;

async function planRollback(session: Opened, run: RunId, request: RollbackRequest): Promise<RollbackPlan> {
  const parts = { files: request.only !== 'conversation', conversation: request.only !== 'files' };
  const records = await session.store.journal.read(run);
  const to = stepOption(records, request.to ?? 'start');
  // A step is taken whole, as the engine does: what belongs to it stays.
  const end = stepEnd(records, to);
  const conversation = parts.conversation ? conversationBack(records, { to, end }) : null;
  const none = { run, project: foldRecords(records).project, to, end, conversation };
  if (!parts.files || (parts.conversation && !hasFiles(records))) {
    return { ...none, store: null, workspaces: [], projectChanges: [], projectFiles: [], projectConflicts: [] };
  }
  return { ...none, ...(await filesBack(session, { run, records, to: end })) };
}

const hasFiles = ([first]: readonly JournalRecord[]): boolean =>
  first?.fact.kind === 'run.started' && first.fact.files !== undefined;

interface Back {
  readonly run: RunId;
  readonly records: readonly JournalRecord[];
  readonly to: number;
}

async function filesBack(session: Opened, { run, records, to }: Back) {
  const { journal, home } = session.store;
  const [now, then] = [await findFiles(journal, run), await findFiles(journal, run, to)];
  const store = await session.world.workspaces.store(now.project);
  const projectChanges = changesToUndo(records, to);
  if (projectChanges.length > 0) requireProject(now.project);
  const names = [...now.workspaces.keys()];
  const trees = names.flatMap((name) => [treeOf(now, name), thenOf(now, then, name)]);
  await requireTrees(store, run, [...trees, ...projectChanges.flatMap(({ before, after }) => [before, after])]);
  const workspaces = await Promise.all(names.map((name) => workspaceBack(store, { home, now, then, name })));
  const undone = await previewUndo(session, { project: now.project, store }, projectChanges);
  return {
    store,
    workspaces: workspaces.filter(({ changes, stays, isDropped }) => changes.length + stays.length > 0 || isDropped),
    projectChanges,
    projectFiles: undone.files,
    projectConflicts: undone.conflicts,
  };
}

interface Moments {
  readonly home: string;
  readonly now: RunFiles;
  readonly then: RunFiles;
  readonly name: string;
}

/** The run's own would have held what the run began with. */
const thenOf = (now: RunFiles, then: RunFiles, name: string) => then.workspaces.get(name)?.tree ?? now.began.tree;

/** Also rolls back unrecorded changes, after recording them. */
async function workspaceBack(store: TreeStore, { home, now, then, name }: Moments): Promise<WorkspaceBack> {
  const wasThere = name === MAIN_WORKSPACE || (then.workspaces.has(name) && !then.gone.has(name));
  if (!wasThere) return { workspace: name, changes: [], stays: [], ...(now.gone.has(name) ? {} : { isDropped: true }) };
  const present = (await runTreeOnDisk({ home, files: now, workspace: name, store })) ?? treeOf(now, name);
  const changes = await store.compare(present, thenOf(now, then, name));
  const stays = changes.filter(({ before }) => hasOnlyCopy(before)).map(({ path }) => changedPathText(path));
  const goesBack = changes.filter(({ before, after }) => after !== null || !hasOnlyCopy(before));
  return { workspace: name, changes: changeViews(goesBack), stays };
}

/** Found by the named record; `end` is where the step it belongs to ends. */
function conversationBack(records: readonly JournalRecord[], { to, end }: Goal): ConversationBack | null {
  const [now, then] = [foldRecords(records), foldRecords(records.slice(0, end))];
  const isSettled = then.status === 'settled';
  const messages = messagesOf(now) - messagesOf(then);
  if (now.current.state === then.current.state && messages === 0 && now.status === then.status) return null;
  const named = placeOf(foldRecords(records.slice(0, to)));
  return { from: placeOf(now), to: named, messages: Math.max(0, messages), isSettled };
}

interface Goal {
  readonly to: number;
  readonly end: number;
}

const messagesOf = ({ contexts }: Snapshot): number =>
  Object.values(contexts).reduce((sum, context) => sum + context.messages.length + context.dropped, 0);

const placeOf = ({ status, current }: Snapshot): string =>
  status === 'settled' ? 'its end' : current.state === '' ? 'its beginning' : `the state ${current.state}`;

/** Computes the effects of a rollback. Refuses a run that is driven. */
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

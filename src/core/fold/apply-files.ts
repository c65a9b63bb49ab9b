import { putBackSessions, takeAlong } from './apply-agents.ts';
import { followChange } from './apply-questions.ts';
import { doubtsOf } from '../record/file-doubts.ts';
import { tasksIn, type Draft } from './draft.ts';
import type { FilesChanged, ProjectChanged, RunForked, WorkspaceGone, WorkspaceMade } from '../record/files-fact.ts';
import type { RewoundTask, RunRewound } from '../record/rewound-fact.ts';
import { mapValues } from '../model/map-values.ts';
import type { ChangesExpected } from '../step/turn/owed-changes.ts';
import { mergeTerms } from '../model/run-terms.ts';
import type { Task, WorkspaceFiles } from './snapshot.ts';
import { release, pausedSince } from '../step/paused.ts';
import { addSpent, NOTHING_SPENT } from './tree-cost.ts';
import { UNDECIDED } from '../record/undecided.ts';
import { pagesOf } from './units.ts';
import { overlapRemark, unmergedAfter } from '../record/unmerged-files.ts';
import { tellTurn } from '../step/turn/turn-progress.ts';

/** How facts about files, forks and rollbacks change a run. */

export function makeWorkspace(now: Draft, fact: WorkspaceMade): void {
  now.workspaces = { ...now.workspaces, [fact.workspace]: filesIn(fact, now.workspaces[fact.workspace]) };
}

/** The files of a workspace after this. */
export function filesIn(
  fact: WorkspaceMade | FilesChanged,
  before: WorkspaceFiles | undefined,
  agent: string | null = null,
): WorkspaceFiles {
  const { tree, version } = fact;
  if (fact.kind === 'workspace.made') {
    const kept = fact.again === undefined ? undefined : before?.unmerged;
    return { tree, version, base: tree, ...fact.again, ...(kept === undefined ? {} : { unmerged: kept }) };
  }
  const unmerged = unmergedAfter(before, fact, agent);
  return { tree, version, base: fact.base, ...doubtsOf(fact), ...(unmerged === undefined ? {} : { unmerged }) };
}

export function changeFiles(now: Draft, fact: FilesChanged): void {
  followChange(now, fact);
  const work = fact.task === null ? undefined : now.tasks[fact.task]?.work;
  const agent = work?.kind === 'turn' && fact.why === 'work' ? work.agent : null;
  const before = now.workspaces[fact.workspace];
  now.workspaces = { ...now.workspaces, [fact.workspace]: filesIn(fact, before, agent) };
  tellOverlaps(now, fact);
}

/** The agent reads it with its next call, or with its next turn. */
function tellOverlaps(now: Draft, { task: id, unmerged }: FilesChanged): void {
  const task = id === null ? undefined : now.tasks[id];
  const { overlaps = [] } = unmerged ?? {};
  if (task?.work.kind !== 'turn' || task.turn === null || overlaps.length === 0) return;
  const message = { author: 'troupe', to: task.work.agent, role: 'user', content: overlapRemark(overlaps) } as const;
  now.tasks[task.id] = { ...task, turn: tellTurn(task.turn, message) };
}

/** The first tree counts: what a later visit of the state finds is already work of the step. */
export function applyExpectedChanges(now: Draft, { task, tree }: ChangesExpected): void {
  const key = expectedKey(now.tasks[task]);
  if (key !== null) now.expected = { [key]: tree, ...now.expected };
}

/** By agent too, because the units of a pool have their own workspaces. Null for work that is no turn. */
export function expectedKey(task: Task | undefined): string | null {
  return task?.work.kind === 'turn' ? `${task.state}/${task.work.agent}` : null;
}

/** A result that was put into the project completely waits no more; that of another workspace still does. */
export function changeProject(now: Draft, fact: ProjectChanged): void {
  now.projectChange = { ...fact, seq: firstSeq(now, fact) };
  const isTaken = fact.how === 'applied' && fact.workspace === now.handed?.workspace;
  const isUndone = fact.how === 'rolled-back' && now.handed?.how === 'applied';
  if (isTaken || isUndone) now.handed = null;
}

/** An apply that was restarted is undone from its first record. */
function firstSeq({ projectChange, seq }: Draft, { isBeginning }: ProjectChanged): number {
  return isBeginning === true && projectChange?.isBeginning === true ? projectChange.seq : seq;
}

/** Its number is kept, so that it never counts backwards. */
export function dropWorkspace(now: Draft, { workspace, version }: WorkspaceGone): void {
  const known = now.workspaces[workspace];
  if (known !== undefined) now.workspaces = { ...now.workspaces, [workspace]: { ...known, version, isGone: true } };
}

/** A fork has spent nothing, has changed no files of the user, leases its own resources, and its clocks start now. */
export function fork(now: Draft, fact: RunForked, then: number): void {
  now.forkedFrom = fact.from;
  now.input = { ...now.input, ...fact.input };
  now.data = { ...now.data, ...fact.input };
  if (fact.definition !== undefined) now.definition = fact.definition;
  if (fact.needs !== undefined) now.needs = fact.needs;
  // Work in progress has as much time left as at the record it came from, or as when the run paused before it.
  const shift = now.at - (pausedSince(now) ?? then);
  now.startedAt = now.at;
  now.inherited = addSpent(now.inherited ?? NOTHING_SPENT, { usage: now.usage, costUsd: now.costUsd });
  Object.assign(now, NOTHING_SPENT, { unreported: NOTHING_SPENT });
  now.reported = {};
  now.resources = {};
  takeAlong(now, fact.sessions ?? []);
  now.projectChange = null;
  now.handed = null;
  now.delivery = null;
  Object.assign(now, UNDECIDED);
  now.terms = mergeTerms(now.terms, fact.terms ?? {});
  if (now.paused !== null) now.paused = { ...now.paused, since: now.at };
  now.held = null;
  for (const task of Object.values(now.tasks))
    if (task.deadline !== null) now.tasks[task.id] = { ...task, deadline: task.deadline + shift };
}

const taskOf = (task: RewoundTask): Task => ({
  ...task,
  units: task.units === null ? null : pagesOf(task.units),
});

export function rewind(now: Draft, { state }: RunRewound): void {
  if (state === null) return;
  // However long the run was paused until now, that counts for no time limit.
  release(now, ['paused', 'held']);
  const until = { sessions: now.sessions, tasks: now.tasks };
  Object.assign(now, state, { tasks: tasksIn(mapValues(state.tasks, taskOf)) });
  putBackSessions(now, { then: state.sessions, until });
  now.rewinds += 1;
  now.askedFor = {};
  now.approved = null;
  // Its parent was charged for everything before: see `rewindRun`.
  now.unreported = NOTHING_SPENT;
  now.reported = {};
  now.handed = null;
  now.delivery = null;
  Object.assign(now, UNDECIDED);
  now.rollingBack = null;
}

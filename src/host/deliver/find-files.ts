import { Fault } from '../../core/model/fault.ts';
import type { Fact, JournalRecord } from '../../core/record/fact.ts';
import { doubtsOf } from '../../core/record/file-doubts.ts';
import type { OpenConflicts, ProjectFiles, RefusedFiles } from '../../core/record/files-fact.ts';
import { rootRunId, type RunId, type TreeId } from '../../core/model/ids.ts';
import { MAIN_WORKSPACE } from '../../core/model/workspace-name.ts';
import type { Journal, TreeRecord } from '../../journal/port.ts';
import { runUnknown } from '../../journal/refusal.ts';

/** The files of a run, according to its journal and those of all runs below its root. */
export interface RunFiles {
  readonly root: RunId;
  readonly project: string;
  /** The project when the run began. */
  readonly began: ProjectFiles;
  readonly workspaces: ReadonlyMap<string, KeptWorkspace>;
  /** Workspaces that a rollback removed; each is created again when it is used next. */
  readonly gone: ReadonlySet<string>;
}

export interface KeptWorkspace {
  /** The tree it was created from. */
  readonly made: TreeId;
  readonly tree: TreeId;
  /** The tree it started with, or had at its last merge. */
  readonly base: TreeId;
  readonly version: number;
  readonly open?: OpenConflicts;
  /** Why its files are no result. */
  readonly refused?: RefusedFiles;
}

/** As they are now, or as they were at a record of `run`; other runs count up to the same commit. */
export async function findFiles(journal: Journal, run: RunId, until: number | null = null): Promise<RunFiles> {
  const root = rootRunId(run);
  const tree = await journal.tree(root);
  const { project, files } = startOf(tree);
  if (files === undefined) throw noFiles(root);
  const last = tree.findLast((one) => one.run === run && one.seq <= (until ?? Infinity));
  if (last === undefined) throw runUnknown(run);
  const isInTime = (one: TreeRecord): boolean =>
    until === null || (one.run === run ? one.seq <= until : one.commit <= last.commit);
  const workspaces = new Map<string, KeptWorkspace>();
  const facts = tree.filter(isInTime).map(({ fact }) => fact);
  for (const fact of facts) take(workspaces, fact, files.tree);
  return { root, project, began: files, workspaces, gone: goneIn(facts.filter(isOfWorkspace)) };
}

/** The newest record of each counts; it may be in the journal of any run. */
function goneIn(facts: readonly WorkspaceFact[]): ReadonlySet<string> {
  const inOrder = facts.toSorted((one, other) => one.version - other.version);
  const newest = new Map(inOrder.map((fact) => [fact.workspace, fact.kind]));
  return new Set([...newest].flatMap(([workspace, kind]) => (kind === 'workspace.gone' ? [workspace] : [])));
}

type WorkspaceFact = Extract<Fact, { readonly kind: 'workspace.made' | 'files.changed' | 'workspace.gone' }>;

const isOfWorkspace = (fact: Fact): fact is WorkspaceFact =>
  fact.kind === 'workspace.made' || fact.kind === 'files.changed' || fact.kind === 'workspace.gone';

/** The tree of a workspace; one that did not exist yet would have started with the run's first files. */
export const treeOf = (files: RunFiles, workspace: string): TreeId =>
  files.workspaces.get(workspace)?.tree ?? files.began.tree;

export const madeFrom = (files: RunFiles, workspace: string): TreeId =>
  files.workspaces.get(workspace)?.made ?? files.began.tree;

/** The workspaces with undelivered changes, that of the run first. */
export function changedWorkspaces(files: RunFiles): readonly string[] {
  const changed = [...files.workspaces].filter(([, { base, tree }]) => base !== tree).map(([name]) => name);
  return changed.sort((a, b) => Number(b === MAIN_WORKSPACE) - Number(a === MAIN_WORKSPACE) || (a < b ? -1 : 1));
}

function startOf([first]: readonly JournalRecord[]): { project: string; files?: ProjectFiles } {
  if (first?.fact.kind === 'run.started') return first.fact;
  throw new Fault('JOURNAL_DAMAGED', 'The run does not begin with its first record.', { hint: 'See: troupe doctor' });
}

function take(workspaces: Map<string, KeptWorkspace>, fact: Fact, began: TreeId): void {
  if (fact.kind === 'workspace.made') {
    const { workspace, tree, version, again } = fact;
    const known = workspaces.get(workspace);
    // Only its folder is new: its work is the same.
    const made = again === undefined ? tree : (known?.made ?? again.base);
    workspaces.set(workspace, { tree, version, base: again?.base ?? tree, ...known, made });
  } else if (fact.kind === 'files.changed') {
    const { workspace, tree, version, base } = fact;
    const known = workspaces.get(workspace) ?? { made: began, version: 0 };
    if (version > known.version)
      workspaces.set(workspace, { made: known.made, tree, base, version, ...doubtsOf(fact) });
  }
}

function noFiles(run: RunId): Fault {
  return new Fault('FILES_NONE', `Run ${run} has no files: none of its agents can use a tool.`, {
    hint: `See the conversation: troupe logs ${run}`,
  });
}

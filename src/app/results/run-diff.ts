import { Fault } from '../../core/model/fault.ts';
import { rootRunId, type RunId, type TreeId } from '../../core/model/ids.ts';
import { diffTrees, type TreeDiff, type TreePair } from '../../workspace/changes/diff-trees.ts';
import type { TreeStore } from '../../workspace/store/port.ts';
import type { Store } from '../world/store.ts';
import { treesAgainst } from '../../workspace/changes/trees-against.ts';
import type { NotCompared } from '../../workspace/changes/branch-changes.ts';
import { commitOf } from '../../workspace/changes/user-refs.ts';
import { findFiles, madeFrom, type RunFiles, treeOf } from '../../host/deliver/find-files.ts';
import { requireTrees } from '../../host/deliver/kept-trees.ts';
import { requireProject } from '../../host/deliver/run-result.ts';
import { stepOption } from '../runs/find-run.ts';
import { namedWorkspace, type WorkspaceName } from './named-workspace.ts';
import { lstatSync } from 'node:fs';
import { shownPath } from '../../lib/confined-path.ts';
import type { BytePath } from '../../workspace/byte-path.ts';
import { workspacePlace } from '../../workspace/run-place.ts';
import { treeOnDisk } from '../../workspace/open-workspace.ts';
import { orElse } from '../../lib/or-else.ts';

export interface OnDisk {
  readonly home: string;
  readonly files: RunFiles;
  readonly workspace: string;
  readonly store: TreeStore;
}

/** The tree in the folder of a run's workspace now; null if there is no folder. */
export function runTreeOnDisk({ home, files, workspace, store }: OnDisk): Promise<TreeId | null> {
  const { root, project, began } = files;
  const tree = treeOf(files, workspace);
  return treeOnDisk(home, store, { root, name: workspace, project, tree, began: began.tree });
}

export const folderOfWorkspace = (home: string, root: RunId, workspace: string): string =>
  workspacePlace(home, root, workspace).folder;

/**
 * Which paths of the project no workspace of a run ever got, although they were there: too large, not to be read. The journal
 * names the first of them; where there were more, what lies in the project and the run did not begin with counts as one.
 */
export async function leftOutPaths(
  { began, project }: Pick<RunFiles, 'began' | 'project'>,
  store: Pick<TreeStore, 'entries'>,
): Promise<(path: BytePath) => boolean> {
  const { count, some } = began.skipped ?? { count: 0, some: [] };
  const named = new Set(some.map(({ path }) => path));
  const isNamed = (path: BytePath): boolean => named.has(shownPath(Buffer.from(path, 'latin1')));
  if (count <= some.length) return isNamed;
  const known = await store.entries(began.tree);
  return (path) => isNamed(path) || (!known.has(path) && isThere(project, path));
}

function isThere(project: string, path: BytePath): boolean {
  const whole = Buffer.concat([Buffer.from(`${project}/`), Buffer.from(path, 'latin1')]);
  return orElse(() => lstatSync(whole), null) !== null;
}

/** What a run changed, between two moments of it. */
export interface RunDiff extends TreeDiff {
  readonly workspace: string;
  readonly folder: string;
  readonly before: TreeId;
  readonly after: TreeId;
  /** The folder holds something that no record names. */
  readonly hasMore: boolean;
  /** Where it was compared with a commit of the user's repository. */
  readonly against?: AgainstCommit;
}

export interface AgainstCommit {
  readonly ref: string;
  readonly commit: string;
  readonly notCompared: readonly NotCompared[];
}

/** The two sides of a diff: by default the beginning of the run and its present files. */
export interface DiffRequest extends WorkspaceName {
  readonly from?: string;
  readonly to?: string;
  /** A commit of the user's repository stands for the beginning. */
  readonly against?: string;
  /** So do the user's files as they are now. */
  readonly project?: boolean;
  /** Compares with the folder as it is now. */
  readonly disk?: boolean;
  /** Only which files, and how much. */
  readonly stat?: boolean;
}

interface Asked {
  readonly request: DiffRequest;
  readonly store: Store;
  readonly run: RunId;
  readonly trees: TreeStore;
  /** The user's own files as they are now. */
  readonly projectTree: () => Promise<TreeId>;
  /** While somebody drives the run its folder changes under one's eyes. */
  readonly isDriven: boolean;
}

export async function runDiff(asked: Asked): Promise<RunDiff> {
  const { request, store, run, trees } = asked;
  const files = await findFiles(store.journal, run);
  const workspace = await namedWorkspace(request, store.journal, { run, files });
  const onDisk = asked.isDriven ? null : await runTreeOnDisk({ home: store.home, files, workspace, store: trees });
  const newest = treeOf(files, workspace);
  const after = await treeAfter(asked, files, { workspace, newest, onDisk });
  const { against, ...pair } = await comparedTrees(asked, files, { workspace, after });
  const diff = await diffTrees(trees, pair, { patch: request.stat !== true });
  const hasMore = onDisk !== null && onDisk !== newest && after !== onDisk;
  const folder = folderOfWorkspace(store.home, files.root, workspace);
  return { ...diff, workspace, folder, ...pair, hasMore, ...(against === undefined ? {} : { against }) };
}

interface Compared extends TreePair {
  readonly against?: AgainstCommit;
}

async function comparedTrees(
  asked: Asked,
  files: RunFiles,
  { workspace, after }: { readonly workspace: string; readonly after: TreeId },
): Promise<Compared> {
  const { request, trees } = asked;
  const ref = request.against;
  if (ref !== undefined) return await against(asked, files, { ref, after });
  const before = await treeBefore(asked, files, workspace);
  await requireTrees(trees, files.root, [before, after]);
  return { before, after };
}

/** With what the user committed, whatever the run began with. */
async function against(
  { request, trees }: Asked,
  files: RunFiles,
  { ref, after }: { readonly ref: string; readonly after: TreeId },
): Promise<Compared> {
  if (request.from !== undefined || request.project === true)
    throw new Fault('USAGE', '--against names a branch, tag or commit; --from and --project are other things.', {
      hint: 'Leave the others out.',
    });
  const { project, root } = files;
  requireProject(project);
  const commit = await commitOf(project, ref);
  await requireTrees(trees, root, [files.began.tree, after]);
  const isLeftOut = await leftOutPaths(files, trees);
  const { notCompared, ...pair } = await treesAgainst(trees, { project, commit, tree: after, isLeftOut });
  return { ...pair, against: { ref, commit, notCompared } };
}

/** A child run began when its parent had done something already. */
async function treeBefore(asked: Asked, files: RunFiles, workspace: string): Promise<TreeId> {
  const { request, store, run } = asked;
  if (request.project === true) return await projectNow(asked, files);
  const from = request.from ?? (rootRunId(run) === run ? null : 'start');
  return from === null ? madeFrom(files, workspace) : await treeAt({ store, run, files, workspace }, from);
}

async function projectNow({ request, projectTree }: Asked, { project }: RunFiles): Promise<TreeId> {
  if (request.from !== undefined)
    throw new Fault('USAGE', '--project compares with your files as they are now; --from names an earlier moment.');
  requireProject(project);
  return await projectTree();
}

interface Ends {
  readonly workspace: string;
  readonly newest: TreeId;
  readonly onDisk: TreeId | null;
}

async function treeAfter({ request, store, run }: Asked, files: RunFiles, ends: Ends): Promise<TreeId> {
  const { workspace, newest, onDisk } = ends;
  const { to } = request;
  if (request.disk !== true) return to === undefined ? newest : await treeAt({ store, run, files, workspace }, to);
  if (to !== undefined)
    throw new Fault('USAGE', '--disk compares with the folder as it is now; --to names an earlier moment.');
  if (onDisk !== null) return onDisk;
  throw new Fault('WORKSPACE_MISSING', `There is no folder of the workspace "${workspace}" to look at now.`, {
    hint: 'It was removed, was never made, or a process works in it at this moment. Leave --disk out.',
  });
}

interface Place {
  readonly store: Store;
  readonly run: RunId;
  readonly files: RunFiles;
  readonly workspace: string;
}

async function treeAt({ store, run, files, workspace }: Place, step: string): Promise<TreeId> {
  const seq = stepOption(await store.journal.read(run), step);
  const then = await findFiles(store.journal, run, seq);
  return then.workspaces.get(workspace)?.tree ?? madeFrom(files, workspace);
}

import { realpath, stat } from 'node:fs/promises';
import { relative, sep } from 'node:path';
import { Fault } from '../core/fault.ts';
import type { TreeId } from '../core/ids.ts';
import { shownPath } from '../lib/confined-path.ts';
import type { BytePath } from './byte-path.ts';
import { ignoredBy } from './changes/ignored-by.ts';
import { withBrought } from './ignore/bring-rules.ts';
import { foldersAbove, isEngineName } from './ignore/frozen-rules.ts';
import { createIgnoreRules } from './ignore/ignore-rules.ts';
import type { ProjectState, WorkspaceSettings } from './port.ts';
import { readCommit } from './private-git/git-refs.ts';
import { gitFiles } from './project-files.ts';
import { checkSize, measureProject } from './project-size.ts';
import type { FolderSize, LeaveOut, RecordedTree, StoreReport, TreeEntry, TreeStore } from './store/port.ts';

/** Keeps a project's files as they are now, read only; what agents must not get is left out, and told where it is not obvious. */
export async function recordProject(request: ProjectRequest): Promise<ProjectState> {
  const { project, store } = request;
  const there = await stat(project).catch(() => null);
  if (there === null) return { tree: await store.write(new Map()), source: 'none', files: 0, skipped: [] };
  if (!there.isDirectory()) throw notAFolder(project);
  const listed = await gitFiles(project);
  const at = listed === null ? Promise.resolve({}) : commitOf(project).catch(() => ({}));
  const leaveOut = await leaveOutOf(request, listed);
  const { recorded, size } = await recordMeasured(request, leaveOut, listed);
  const source = listed === null ? 'plain' : 'git';
  const skipped = await skippedOf(recorded.told, listed === null ? null : project);
  const kept = recorded.told.length === 0 ? null : await withoutUnkept(store, recorded.tree);
  if (kept === null) return { tree: recorded.tree, source, files: size.files, skipped, ...(await at) };
  const files = [...kept.values()].filter(({ kind }) => kind !== 'folder').length;
  return { tree: await store.write(kept), source, files, skipped, ...(await at) };
}

async function commitOf(project: string): Promise<Pick<ProjectState, 'commit'>> {
  const commit = await readCommit(project);
  return commit === null ? {} : { commit };
}

export interface ProjectRequest {
  readonly project: string;
  readonly store: TreeStore;
  readonly index: string;
  /** The engine's own folder: when it lies in the project, copying it would never end. */
  readonly home: string;
  readonly settings: WorkspaceSettings;
}

interface MeasuredRecord {
  readonly recorded: RecordedTree;
  readonly size: FolderSize;
}

/** What git lists is bounded by its list, and the rest of its size is told on the way; anything else might have no end. */
async function recordMeasured(
  { project, store, index, settings }: ProjectRequest,
  leaveOut: LeaveOut,
  listed: readonly BytePath[] | null,
): Promise<MeasuredRecord> {
  const isBounded = listed !== null && (settings.ignored ?? 'skip') === 'skip';
  if (!isBounded) {
    const size = measureProject({ project, leaveOut }, settings);
    return { size, recorded: await store.record(project, { index, leaveOut }) };
  }
  let size: FolderSize = { files: 0, bytes: 0 };
  const survey = (found: FolderSize): void => {
    size = found;
    checkSize(project, found, settings);
  };
  const recorded = await store.record(project, { index, leaveOut, survey });
  return { recorded, size };
}

/** Rules for a project without git. */
export const PLAIN_RULES = [{ base: '', text: 'node_modules\n' }] as const;

async function leaveOutOf(request: ProjectRequest, listed: readonly BytePath[] | null): Promise<LeaveOut> {
  const away = await insideOf(request.project, request.home);
  const ignored = listed === null ? createIgnoreRules(PLAIN_RULES).isIgnored : notAmong(listed);
  const isOut = withBrought(ignored, request.settings.ignored ?? 'skip');
  return (path, isFolder) => isEngineName(path) || path === away || isOut(path, isFolder);
}

function notAmong(listed: readonly BytePath[]): LeaveOut {
  const files = new Set(listed);
  const folders = new Set<BytePath>();
  for (const path of listed) {
    for (const folder of foldersAbove(path)) {
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  return (path, isFolder) => !(isFolder ? folders : files).has(path);
}

async function insideOf(project: string, home: string): Promise<BytePath | null> {
  const [from, to] = await Promise.all([realpath(project), realpath(home).catch(() => home)]);
  const path = relative(from, to);
  return path === '' || path.startsWith(`..${sep}`) || path === '..' ? null : Buffer.from(path).toString('latin1');
}

/** What the user left out on purpose is nothing to tell. */
async function skippedOf(told: readonly StoreReport[], repository: string | null): Promise<ProjectState['skipped']> {
  const skipped = told
    .flatMap(({ path, why }) => (why === 'special-bits' || isEngineName(path) ? [] : [{ path, why }]))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  if (repository === null) return skipped;
  const paths = skipped.map(({ path }) => path);
  const ignored = await ignoredBy(repository, paths);
  return skipped.filter(({ path }) => !ignored.has(path));
}

/** A tree that agents begin with names only what they get. Null when there is nothing else in it. */
async function withoutUnkept(store: TreeStore, tree: TreeId): Promise<ReadonlyMap<BytePath, TreeEntry> | null> {
  const entries = await store.entries(tree);
  const kept = new Map([...entries].filter(([, { kind }]) => kind !== 'unkept'));
  return kept.size === entries.size ? null : kept;
}

function notAFolder(project: string): Fault {
  return new Fault('PROJECT_NOT_A_FOLDER', `The project ${shownPath(project)} is not a folder.`, {
    hint: 'Name the folder that holds the project.',
  });
}

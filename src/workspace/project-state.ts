import { realpath, stat } from 'node:fs/promises';
import { relative, sep } from 'node:path';
import { Fault } from '../core/model/fault.ts';
import type { TreeId } from '../core/model/ids.ts';
import { shownPath } from '../lib/confined-path.ts';
import { ignoredBy } from './changes/branch-changes.ts';
import { isEngineName, withBrought } from './ignore/frozen-rules.ts';
import { createIgnoreRules } from './ignore/ignore-rules.ts';
import type { ProjectState, WorkspaceSettings } from './port.ts';
import { readCommit } from './private-git/git-facts.ts';
import { gitFiles } from './project-files.ts';
import type { EntryMap, FolderSize, LeaveOut, RecordedTree, StoreReport, TreeStore } from './store/port.ts';
import { lstatSync, readdirSync, type Stats } from 'node:fs';
import { orElse } from '../lib/or-else.ts';
import { type BytePath, pathBelow, foldersAbove, diskPath } from './byte-path.ts';
import { LARGEST_FILE_BYTES } from './store/record-folder.ts';

/** Records a project's files as they are now. Files that agents must not get are left out, and reported unless it is obvious. */
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
  const skipped = await skippedOf(recorded.reports, listed === null ? null : project);
  const kept = recorded.reports.length === 0 ? null : await withoutUnkept(store, recorded.tree);
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

/** Git's list bounds the number of files, and their size is measured on the way; other folders might have no end. */
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

/** Paths that the user ignores are left out on purpose and not reported. */
async function skippedOf(reports: readonly StoreReport[], repository: string | null): Promise<ProjectState['skipped']> {
  const skipped = reports
    .flatMap(({ path, why }) => (why === 'special-bits' || isEngineName(path) ? [] : [{ path, why }]))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  if (repository === null) return skipped;
  const paths = skipped.map(({ path }) => path);
  const ignored = await ignoredBy(repository, paths);
  return skipped.filter(({ path }) => !ignored.has(path));
}

/** A tree that agents begin with names only what they get. Null when there is nothing else in it. */
async function withoutUnkept(store: TreeStore, tree: TreeId): Promise<EntryMap | null> {
  const entries = await store.entries(tree);
  const kept = new Map([...entries].filter(([, { kind }]) => kind !== 'unkept'));
  return kept.size === entries.size ? null : kept;
}

function notAFolder(project: string): Fault {
  return new Fault('PROJECT_NOT_A_FOLDER', `The project ${shownPath(project)} is not a folder.`, {
    hint: 'Name the folder that holds the project.',
  });
}

/** Looks at a project before anything of it is kept: one that is too large would fill the disk. */
function measureProject(asked: MeasuredProject, settings: WorkspaceSettings): FolderSize {
  const size = { files: 0, bytes: 0 };
  const largest = settings.largestFile ?? LARGEST_FILE_BYTES;
  for (const stats of walkedStats(asked, '')) {
    size.files += 1;
    if (stats.isFile()) size.bytes += stats.size > largest ? 0 : stats.size;
    checkSize(asked.project, size, settings);
  }
  return size;
}

/** Ends in a fault when there is more than the settings allow. */
function checkSize(project: string, size: Pick<FolderSize, 'files' | 'bytes'>, settings: WorkspaceSettings): void {
  const limits = { maxFiles: settings.maxFiles ?? MAX_FILES, maxBytes: settings.maxBytes ?? MAX_BYTES };
  if (size.files > limits.maxFiles || size.bytes > limits.maxBytes) throw tooLarge(project, limits);
}

export interface MeasuredProject {
  readonly project: string;
  readonly leaveOut: LeaveOut;
}

const MAX_FILES = 50_000;
const MAX_BYTES = 2 * 1024 ** 3;

function* walkedStats(asked: MeasuredProject, folder: BytePath): Generator<Stats> {
  for (const entry of readdirSync(diskPath(asked.project, folder), { withFileTypes: true, encoding: 'buffer' })) {
    const name = entry.name.toString('latin1');
    const path = pathBelow(folder, name);
    const isFolder = entry.isDirectory();
    if (asked.leaveOut(path, isFolder)) continue;
    if (isFolder) yield* walkedStats(asked, path);
    else {
      const stats = lookAt(asked.project, path);
      if (stats !== null) yield stats;
    }
  }
}

/** Null for what is gone meanwhile, or cannot be looked at: recording it tells. */
function lookAt(project: string, path: BytePath): Stats | null {
  return orElse(() => lstatSync(diskPath(project, path), { throwIfNoEntry: false }) ?? null, null);
}

function tooLarge(project: string, limits: { readonly maxFiles: number; readonly maxBytes: number }): Fault {
  const allowed = `${limits.maxFiles} files and ${Math.floor(limits.maxBytes / 1024 ** 2)} MB`;
  return new Fault('PROJECT_TOO_LARGE', `The project in ${shownPath(project)} is larger than ${allowed}.`, {
    hint: 'Let git ignore what agents do not need, start Troupe in a smaller folder, raise workspaces.max_files and workspaces.max_bytes, or leave large files out with workspaces.largest_file.',
    facts: limits,
  });
}

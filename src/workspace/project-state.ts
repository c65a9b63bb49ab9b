import { realpath, stat } from 'node:fs/promises';
import { relative, sep } from 'node:path';
import { Fault } from '../core/fault.ts';
import type { TreeId } from '../core/ids.ts';
import { shownPath } from '../lib/confined-path.ts';
import type { BytePath } from './byte-path.ts';
import { staysInside } from './inside-link.ts';
import { withBrought } from './ignore/bring-rules.ts';
import { foldersAbove, isEngineName } from './ignore/frozen-rules.ts';
import { createIgnoreRules } from './ignore/ignore-rules.ts';
import type { ProjectState, WorkspaceSettings } from './port.ts';
import { gitFiles } from './project-files.ts';
import { checkSize, measureProject } from './project-size.ts';
import type { FolderSize, LeaveOut, Recorded, TreeEntry, TreeStore, Unkept } from './store/port.ts';

/** Keeps a project's files as they are now, read only; what agents must not get is left out, and told where it is not obvious. */
export async function recordProject(request: ProjectRequest): Promise<ProjectState> {
  const { project, store } = request;
  const there = await stat(project).catch(() => null);
  if (there === null) return { tree: await store.write(new Map()), source: 'none', files: 0, skipped: [] };
  if (!there.isDirectory()) throw notAFolder(project);
  const listed = await gitFiles(project);
  const leaveOut = await leaveOutOf(request, listed);
  const { recorded, size } = await recordMeasured(request, leaveOut, listed);
  const source = listed === null ? 'plain' : 'git';
  if (!size.hasOddities && recorded.told.length === 0) {
    return { tree: recorded.tree, source, files: size.files, skipped: [] };
  }
  const { kept, skipped } = await withoutOddities(store, recorded.tree);
  const tree = skipped.length === 0 ? recorded.tree : await store.write(kept);
  const files = [...kept.values()].filter(({ kind }) => kind !== 'folder').length;
  return { tree, source, files, skipped };
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
  readonly recorded: Recorded;
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
  let size: FolderSize = { files: 0, bytes: 0, hasOddities: false };
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

interface Sifted {
  readonly kept: ReadonlyMap<BytePath, TreeEntry>;
  readonly skipped: ProjectState['skipped'];
}

async function withoutOddities(store: TreeStore, tree: TreeId): Promise<Sifted> {
  const kept = new Map<BytePath, TreeEntry>();
  const skipped: { path: BytePath; why: string }[] = [];
  for (const [path, entry] of await store.entries(tree)) {
    const why = await oddityOf(store, path, entry);
    if (why === null) kept.set(path, entry);
    else skipped.push({ path, why });
  }
  return { kept, skipped };
}

async function oddityOf(store: TreeStore, path: BytePath, entry: TreeEntry): Promise<string | null> {
  if (entry.kind === 'unkept') return UNKEPT[entry.why];
  if (entry.kind !== 'link') return null;
  const target = await store.read(entry.blob);
  return staysInside(path, target.toString('latin1')) ? null : 'a link that leads out of the project';
}

const UNKEPT: Readonly<Record<Unkept, string>> = {
  special: 'special file',
  'too-large': 'too large',
  unreadable: 'cannot be read',
  'too-deep': 'lies too deep',
};

function notAFolder(project: string): Fault {
  return new Fault('PROJECT_NOT_A_FOLDER', `The project ${shownPath(project)} is not a folder.`, {
    hint: 'Name the folder that holds the project.',
  });
}

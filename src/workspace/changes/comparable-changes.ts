import type { BytePath } from '../byte-path.ts';
import { foldersAbove, isEngineName } from '../ignore/frozen-rules.ts';
import type { TreeChange, TreeEntry } from '../store/port.ts';
import { branchChanges } from './branch-changes.ts';
import { allPaths, type EntryMap } from './entry-map.ts';
import { blobOf } from '../store/same-entry.ts';
import { checkedOutPaths } from './sparse-paths.ts';
import type { UserRepository } from './user-repository.ts';

/** A path of which nobody can say whether it is another than in a commit. */
export interface NotCompared {
  readonly path: BytePath;
  readonly why: WhyNotCompared;
}

/**
 * Ignored by the project; left out of the workspaces; not checked out (sparse); of a repository inside the repository; kept by
 * git in a form that an outside program makes; not in this clone, or too large to be looked at.
 */
export type WhyNotCompared = 'ignored' | 'left-out' | 'sparse' | 'submodule' | 'filter' | 'missing';

/**
 * Where a commit and the files of a run have something else, as far as both would have it: what never comes into a workspace is
 * missing there and was deleted by nobody.
 */
export async function comparableChanges(request: ComparableRequest): Promise<ComparableChanges> {
  const { committed, files, user } = request;
  const all = allPaths(committed, files).flatMap((path) => changeAt(path, committed, files));
  const { taken, nested, leftOut } = await branchChanges(all, user);
  const unkept = new Set(all.filter(({ after }) => after?.kind === 'unkept').map(({ path }) => path));
  const { here, away } = await withoutAway(taken, request);
  return {
    changes: here,
    notCompared: [
      ...[...committed].filter(([, { kind }]) => kind === 'unkept').map(([path]) => submodule(path)),
      ...nested.map((path) => submodule(path.slice(user.prefix.length))),
      ...leftOut.map(({ path }): NotCompared => ({ path, why: unkept.has(path) ? 'left-out' : 'ignored' })),
      ...away,
    ],
  };
}

export interface ComparableRequest {
  readonly user: UserRepository;
  /** Of the commit, by paths in the project. */
  readonly committed: EntryMap;
  /** Of the run. */
  readonly files: EntryMap;
  readonly isLeftOut: (path: BytePath) => boolean;
}

export interface ComparableChanges {
  readonly changes: readonly TreeChange[];
  readonly notCompared: readonly NotCompared[];
}

const submodule = (path: BytePath): NotCompared => ({ path, why: 'submodule' });

function changeAt(path: BytePath, committed: EntryMap, files: EntryMap): readonly TreeChange[] {
  const [before, after] = [leafAt(committed, path), leafAt(files, path)];
  const isSubmodule = committed.get(path)?.kind === 'unkept';
  if (isSubmodule || gitName(before) === gitName(after) || isEngines(path)) return [];
  return [{ path, before, after }];
}

function leafAt(entries: EntryMap, path: BytePath): TreeEntry | null {
  const entry = entries.get(path);
  return entry === undefined || entry.kind === 'folder' ? null : entry;
}

const gitName = (entry: TreeEntry | null): string =>
  entry === null ? '' : `${entry.kind} ${entry.kind === 'file' && (entry.mode & 0o100) !== 0} ${blobOf(entry)}`;

const isEngines = (path: BytePath): boolean => [path, ...foldersAbove(path)].some(isEngineName);

async function withoutAway(changes: readonly TreeChange[], { user, isLeftOut }: ComparableRequest) {
  const isCheckedOut = await checkedOutPaths(user.project);
  const here: TreeChange[] = [];
  const away: NotCompared[] = [];
  for (const change of changes) {
    const { path, after } = change;
    if (after === null && isLeftOut(path)) away.push({ path, why: 'left-out' });
    else if (after === null && !isCheckedOut(user.prefix + path)) away.push({ path, why: 'sparse' });
    else here.push(change);
  }
  return { here, away };
}

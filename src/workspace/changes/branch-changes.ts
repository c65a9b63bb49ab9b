import { lstat } from 'node:fs/promises';
import { type BytePath, diskPath, folderOf, foldersAbove } from '../byte-path.ts';
import type { EntryMap, TreeChange, TreeEntry } from '../store/port.ts';
import { allPaths, gitSees } from '../store/entries.ts';
import type { LeftOut } from './merge-entries.ts';
import type { UserRepository } from './user-repository.ts';
import { runGit } from '../git.ts';
import { isEngineName } from '../ignore/frozen-rules.ts';
import { matchesPattern, readPatterns } from '../ignore/ignore-rules.ts';
import { gitFacts, readPlain } from '../private-git/git-facts.ts';

/**
 * Which of a run's changes belong into a commit. Git keeps files, links and whether a file may be executed; what the user ignores
 * is no part of a commit, and what lies in a repository inside the repository is part of another.
 */
export async function branchChanges(changes: readonly TreeChange[], user: UserRepository): Promise<BranchChanges> {
  const unkept = changes
    .filter((change) => !isForGit(change))
    .map(({ path, after }) => ({ path, why: after?.kind === 'unkept' ? after.why : 'git does not keep this' }));
  const forGit = changes.filter(isForGit);
  const isNested = nestedIn(user);
  const inside = await Promise.all(forGit.map(({ path }) => isNested(path)));
  const outer = forGit.filter((_, at) => inside[at] !== true);
  const ignored = await ignoredBy(
    user.project,
    outer.map(({ path }) => path),
  );
  return {
    taken: outer.filter(({ path }) => !ignored.has(path)),
    nested: forGit.filter((_, at) => inside[at] === true).map(({ path }) => user.prefix + path),
    leftOut: [...unkept, ...[...ignored].map((path) => ({ path, why: 'the project ignores it' }))],
  };
}

export interface BranchChanges {
  readonly taken: readonly TreeChange[];
  /** As paths of the repository. */
  readonly nested: readonly BytePath[];
  readonly leftOut: readonly LeftOut[];
}

/** A change of a file that no tree holds is unknown, so it must not delete the file. */
function isForGit({ before, after }: TreeChange): boolean {
  return after?.kind !== 'unkept' && gitSees(before) !== gitSees(after);
}

function nestedIn({ project }: UserRepository): (path: BytePath) => Promise<boolean> {
  const known = new Map<BytePath, Promise<boolean>>();
  const holdsGit = async (folder: BytePath): Promise<boolean> => {
    return lstat(diskPath(project, `${folder}/.git`)).then(
      () => true,
      () => false,
    );
  };
  return async (path) => {
    for (let folder = folderOf(path); folder !== ''; folder = folderOf(folder)) {
      const answer = known.get(folder) ?? holdsGit(folder);
      known.set(folder, answer);
      if (await answer) return true;
    }
    return false;
  };
}

/** Which of these paths the user's project ignores at present. What git knows already is never ignored. */
export async function ignoredBy(project: string, paths: readonly BytePath[]): Promise<ReadonlySet<BytePath>> {
  if (paths.length === 0) return new Set();
  // A name may look like an instruction; behind a dot and a slash it is a name.
  const input = zeroEnded(paths.map((path) => `./${path}`));
  const answer = await runGit(['check-ignore', '-z', '--stdin'], { cwd: project, config: 'user', input });
  if (answer.exitCode !== 0 && answer.exitCode !== 1) return ignoredByHalves(project, paths);
  const found = answer.output.toString('latin1').split('\0').filter(Boolean);
  return new Set(found.map((path) => path.slice(2)));
}

/** One path that git will not talk about, such as one behind a link, must not hide the answer for the others. */
async function ignoredByHalves(project: string, paths: readonly BytePath[]): Promise<ReadonlySet<BytePath>> {
  if (paths.length === 1) return new Set();
  const middle = Math.ceil(paths.length / 2);
  const first = await ignoredBy(project, paths.slice(0, middle));
  return new Set([...first, ...(await ignoredBy(project, paths.slice(middle)))]);
}

/** A path that cannot be compared with a commit. */
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
 * The differences between a commit and the files of a run, without paths that never come into a workspace: those were not
 * deleted.
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
  const isSame = gitSees(before) === gitSees(after) && after?.kind !== 'unkept';
  if (isSubmodule || isSame || isEngines(path)) return [];
  return [{ path, before, after }];
}

function leafAt(entries: EntryMap, path: BytePath): TreeEntry | null {
  const entry = entries.get(path);
  return entry === undefined || entry.kind === 'folder' ? null : entry;
}

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

/**
 * Whether the user has a path of the repository checked out: with a sparse checkout, a missing path need not be deleted.
 * Paths count from the top of the repository.
 */
export async function checkedOutPaths(project: string): Promise<(path: BytePath) => boolean> {
  const facts = await gitFacts(project);
  const isSparse = /^(?:true|yes|on|1)$/i.test(facts?.settings['core.sparsecheckout'] ?? '');
  const text = facts !== null && isSparse ? await readPlain(facts.sparse) : null;
  if (text === null) return () => true;
  const patterns = readPatterns(text.toString('latin1'));
  return (path) => {
    // The nearest word counts: on the path itself, else on the folder around it.
    for (let [at, isFolder] = [path, false]; at !== ''; [at, isFolder] = [folderOf(at), true]) {
      const found = patterns.find((pattern) => matchesPattern(pattern, at, isFolder));
      if (found !== undefined) return !found.isNegated;
    }
    return false;
  };
}

/** Paths as git reads them from its input: bytes, each with a NUL behind. */
export function zeroEnded(paths: readonly BytePath[]): Buffer {
  return Buffer.from(paths.map((path) => `${path}\0`).join(''), 'latin1');
}

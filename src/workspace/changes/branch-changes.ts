import { lstat } from 'node:fs/promises';
import type { BytePath } from '../byte-path.ts';
import { folderOf } from '../byte-path.ts';
import type { TreeChange, TreeEntry } from '../store/port.ts';
import { isSameEntry } from '../store/same-entry.ts';
import { ignoredBy } from './ignored-by.ts';
import type { LeftOut } from './merge-entries.ts';
import type { UserRepository } from './user-repository.ts';

/**
 * Which of a run's changes belong into a commit. Git keeps files, links and whether a file may be executed; what the user ignores
 * is no part of a commit, and what lies in a repository inside the repository is part of another.
 */
export async function branchChanges(changes: readonly TreeChange[], user: UserRepository): Promise<BranchChanges> {
  const told = changes
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
    leftOut: [...told, ...[...ignored].map((path) => ({ path, why: 'the project ignores it' }))],
  };
}

export interface BranchChanges {
  readonly taken: readonly TreeChange[];
  /** As paths of the repository. */
  readonly nested: readonly BytePath[];
  readonly leftOut: readonly LeftOut[];
}

/** What a run made of a file that no tree holds is not known: it is no reason to delete the file. */
function isForGit({ before, after }: TreeChange): boolean {
  return after?.kind !== 'unkept' && !isSameEntry(asGitSees(before), asGitSees(after));
}

function asGitSees(entry: TreeEntry | null): TreeEntry | null {
  if (entry?.kind === 'file') return { ...entry, mode: (entry.mode & 0o100) === 0 ? 0o644 : 0o755 };
  return entry?.kind === 'link' ? entry : null;
}

function nestedIn({ project }: UserRepository): (path: BytePath) => Promise<boolean> {
  const known = new Map<BytePath, Promise<boolean>>();
  const holdsGit = async (folder: BytePath): Promise<boolean> => {
    const path = Buffer.concat([Buffer.from(`${project}/`), Buffer.from(`${folder}/.git`, 'latin1')]);
    return lstat(path).then(
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

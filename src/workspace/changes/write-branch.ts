import type { TreeId } from '../../core/ids.ts';
import type { TreeStore } from '../store/port.ts';
import { bringOver, changedTree, headTree, makeCommit } from './branch-commit.ts';
import type { MadeCommit } from './branch-commit.ts';
import { findBranch, refuseToLose, updateBranch } from './branch-ref.ts';
import type { BranchRef, NamedBranch } from './branch-ref.ts';
import { branchTree, ownTrees } from './branch-tree.ts';
import type { BranchConflict, BranchConflictKind } from './branch-tree.ts';
import { runGit } from './git-plumbing.ts';
import type { LeftOut } from './merge-entries.ts';
import { ScratchRepository } from './scratch-repository.ts';
import { conversionSettings, openUserRepository } from './user-repository.ts';
import type { UserRepository } from './user-repository.ts';

/**
 * Offers a run's changes as a branch: one commit on top of the one that is checked out. Where they do not fit there, the
 * branch grows from what the run began with instead, so that git can merge it. Besides the branch and its objects nothing in
 * the user's repository changes, neither index nor files, settings or HEAD; all the work is done elsewhere.
 */
export async function writeBranch(store: TreeStore, options: BranchOptions): Promise<WrittenBranch> {
  const user = await openUserRepository(options.project);
  const branch = await findBranch(user, options);
  const settings = await conversionSettings(user);
  const source = { ...options, store, user, filters: settings.filters };
  const write: Write = { source, branch };
  const onTop = await ScratchRepository.use(user, settings, (scratch) => writeOnTop(scratch, write));
  if (onTop.kind !== 'conflict' || onTop.conflicts.some(({ kind }) => NO_BRANCH.has(kind))) return onTop;
  const start = options.start === null ? null : await knownCommit(user, options.start);
  if (start === null) return onTop;
  const then = { ...user, head: start };
  const own = { source: { ...source, user: then }, branch };
  return ScratchRepository.use(then, settings, (scratch) => writeOwn(scratch, own, onTop.conflicts));
}

export interface BranchOptions extends NamedBranch {
  readonly project: string;
  /** What the run began with. */
  readonly base: TreeId;
  /** What the run made of it. */
  readonly tree: TreeId;
  /** The commit that was checked out when it began, where that is known. */
  readonly start: string | null;
  readonly message: string;
}

export type WrittenBranch =
  | {
      readonly kind: 'written';
      readonly ref: string;
      readonly commit: string;
      readonly parent: string | null;
      /** What the branch named before. */
      readonly replaced: string | null;
      /** With what is checked out now: the branch grows from what the run began with, and git will ask about these. */
      readonly conflicts: readonly BranchConflict[];
      readonly leftOut: readonly LeftOut[];
    }
  /** The commit that is checked out has everything already. */
  | { readonly kind: 'unchanged'; readonly leftOut: readonly LeftOut[] }
  /** No branch was made. */
  | {
      readonly kind: 'conflict';
      readonly conflicts: readonly BranchConflict[];
      readonly leftOut: readonly LeftOut[];
    };

/** Things that no branch can hold, wherever it grows from. */
const NO_BRANCH: ReadonlySet<BranchConflictKind> = new Set(['filter', 'submodule', 'repository', 'unkept']);

interface Write {
  readonly source: BranchOptions & {
    readonly store: TreeStore;
    readonly user: UserRepository;
    readonly filters: ReadonlySet<string>;
  };
  readonly branch: BranchRef;
}

const INDEX = 'result';

async function writeOnTop(scratch: ScratchRepository, { source, branch }: Write): Promise<WrittenBranch> {
  const { user, message, owner } = source;
  const { head, entries, conflicts, leftOut } = await branchTree(scratch, source);
  if (conflicts.length > 0) return { kind: 'conflict', conflicts, leftOut };
  const before = await headTree(scratch, INDEX);
  const tree = await changedTree(scratch, user, { index: INDEX, from: head, to: entries });
  if (tree === before) return { kind: 'unchanged', leftOut };
  const parent = user.head;
  const written = { kind: 'written', ref: branch.ref, replaced: branch.present, conflicts: [], leftOut } as const;
  const known = await sameAsPresent(scratch, branch, { parent, trees: [tree] });
  if (known !== null) return { ...written, ...known };
  await refuseToLose(user, branch, source);
  const commit = await makeCommit(scratch, user, { tree, parent, message, owner });
  await bringOver(scratch, user, [{ before, tree, commit }]);
  await updateBranch(user, branch, commit);
  return { ...written, commit, parent };
}

/** Work that was not committed when the run began, and that it went on with, has a commit of its own before the run's. */
async function writeOwn(
  scratch: ScratchRepository,
  { source, branch }: Write,
  conflicts: readonly BranchConflict[],
): Promise<WrittenBranch> {
  const { user, owner } = source;
  const { head, began, entries, leftOut } = await ownTrees(scratch, source);
  const first = await headTree(scratch, INDEX);
  const found = await changedTree(scratch, user, { index: INDEX, from: head, to: began });
  const tree = await changedTree(scratch, user, { index: INDEX, from: began, to: entries });
  const written = { kind: 'written', ref: branch.ref, replaced: branch.present, conflicts, leftOut } as const;
  const trees = found === first ? [tree] : [tree, found];
  const known = await sameAsPresent(scratch, branch, { parent: user.head, trees });
  if (known !== null) return { ...written, ...known };
  await refuseToLose(user, branch, source);
  const commits: MadeCommit[] = [];
  let parent = user.head;
  if (found !== first) {
    parent = await makeCommit(scratch, user, { tree: found, parent, message: FOUND, owner });
    commits.push({ before: first, tree: found, commit: parent });
  }
  const commit = await makeCommit(scratch, user, { tree, parent, message: source.message, owner });
  commits.push({ before: found, tree, commit });
  await bringOver(scratch, user, commits);
  await updateBranch(user, branch, commit);
  return { ...written, commit, parent };
}

const FOUND = 'What the run began with\n\nWork that was not committed then, in the files that it changed.';

/** Null when it is not there any more: rewritten, and cleaned away. */
async function knownCommit({ gitDir }: UserRepository, commit: string): Promise<string | null> {
  const call = { cwd: gitDir, env: { GIT_DIR: gitDir } };
  const { exitCode } = await runGit(['cat-file', '-e', `${commit}^{commit}`], call);
  return exitCode === 0 ? commit : null;
}

/** The branch has this already: made before, by this very call or one that died after it. The newest tree comes first. */
async function sameAsPresent(
  scratch: ScratchRepository,
  { present }: BranchRef,
  { parent, trees }: { readonly parent: string | null; readonly trees: readonly string[] },
): Promise<{ readonly commit: string; readonly parent: string | null } | null> {
  const ids = [present];
  for (const tree of trees) {
    const commit = await commitAt(scratch, ids.at(-1) ?? null);
    if (commit?.tree !== tree) return null;
    ids.push(commit.parent);
  }
  const [commit = null, below = null] = ids;
  return commit !== null && ids.at(-1) === parent ? { commit, parent: below } : null;
}

async function commitAt(scratch: ScratchRepository, id: string | null) {
  if (id === null) return null;
  const text = String(await scratch.git(['cat-file', 'commit', id]));
  const [, tree, parent] = /^tree (\w+)\n(?:parent (\w+)\n)?/.exec(text) ?? [];
  return { tree, parent: parent ?? null };
}

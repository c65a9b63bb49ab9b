import type { TreeId } from '../../core/model/ids.ts';
import type { EntryMap, TreeStore } from '../store/port.ts';
import {
  type BranchRef,
  conversionSettings,
  findBranch,
  type NamedBranch,
  openUserRepository,
  refuseToLose,
  trailersOf,
  updateBranch,
  type UserRepository,
} from './user-repository.ts';
import { type BranchConflict, type BranchConflictKind, branchTree, indexLines, ownTrees } from './branch-tree.ts';
import { BIG_FILES, gitOutput, runGit } from '../git.ts';
import type { LeftOut } from './merge-entries.ts';
import { type ScratchCall, ScratchRepository } from './scratch-repository.ts';
import { join } from 'node:path';

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

/** Work that was not committed when the run began, and that it continued with, has its own commit before the run's. */
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

/** A commit on its way into the user's repository: made elsewhere, of the tree before it and the changes since. */
interface MadeCommit {
  /** The tree that it continues from. */
  readonly before: string;
  readonly tree: string;
  readonly commit: string;
}

/** The tree of the commit that a scratch repository begins with, in an index that can be changed. */
async function headTree(scratch: ScratchRepository, index: string): Promise<string> {
  await scratch.loadHead(index);
  return writeTree(scratch, index);
}

/** The tree that an index becomes when the entries that differ are put into it. */
async function changedTree(
  scratch: ScratchRepository,
  user: UserRepository,
  { index, from, to }: { readonly index: string; readonly from: EntryMap; readonly to: EntryMap },
): Promise<string> {
  const zeroId = '0'.repeat(user.format === 'sha256' ? 64 : 40);
  const input = indexLines({ head: from, entries: to }, zeroId);
  await scratch.git(['update-index', '-z', '--index-info'], { index, input });
  return writeTree(scratch, index);
}

export interface CommitText {
  readonly tree: string;
  readonly parent: string | null;
  readonly message: string;
  readonly owner: string;
}

async function makeCommit(
  scratch: ScratchRepository,
  user: UserRepository,
  { tree, parent, message, owner }: CommitText,
): Promise<string> {
  const { name, email } = user.identity;
  const parents = parent === null ? [] : ['-p', parent];
  const text = message.replaceAll('\0', '').trim() || 'Files of a run';
  return answer(scratch, ['commit-tree', tree, ...parents], {
    input: `${text}\n\n${trailersOf(owner, tree)}`,
    env: { GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email, GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: email },
  });
}

/** Exactly the objects that are new, whatever the history looks like: it may be shallow or partial. */
async function bringOver(
  scratch: ScratchRepository,
  user: UserRepository,
  commits: readonly MadeCommit[],
): Promise<void> {
  const ids = await Promise.all(commits.map((commit) => newObjects(scratch, commit)));
  // By way of a file: it may hold files that are too large for memory.
  const pack = join(scratch.folder, 'new');
  const named = await answer(scratch, ['pack-objects', '-q', pack], { input: `${ids.flat().join('\n')}\n` });
  const call = { cwd: user.gitDir, env: { GIT_DIR: user.gitDir } };
  await gitOutput(['-c', BIG_FILES, 'unpack-objects', '-q'], { ...call, inputFile: `${pack}-${named}.pack` });
}

async function newObjects(scratch: ScratchRepository, { before, tree, commit }: MadeCommit): Promise<string[]> {
  const words = ['diff-tree', '-r', '-t', '-z', '--raw', '--no-abbrev', '--no-renames', before, tree];
  const fields = (await scratch.git(words)).toString('latin1').split('\0');
  const heads = fields.filter((field) => field.startsWith(':'));
  const ids = heads.map((head) => head.split(' ')[3] ?? '').filter((id) => !/^0*$/.test(id));
  return [commit, tree, ...ids];
}

async function writeTree(scratch: ScratchRepository, index: string): Promise<string> {
  return answer(scratch, ['write-tree', '--missing-ok'], { index });
}

async function answer(scratch: ScratchRepository, words: readonly string[], call: ScratchCall): Promise<string> {
  return String(await scratch.git(words, call)).trim();
}

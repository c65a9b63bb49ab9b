import type { TreeId } from '../../core/ids.ts';
import type { TreeStore } from '../store/port.ts';
import { findBranch, TREE_TRAILER, updateBranch } from './branch-ref.ts';
import type { BranchRef } from './branch-ref.ts';
import { branchTree, indexLines } from './branch-tree.ts';
import type { BranchConflict, BranchTree } from './branch-tree.ts';
import { gitOutput } from './git-plumbing.ts';
import type { LeftOut } from './merge-entries.ts';
import { ScratchRepository } from './scratch-repository.ts';
import type { ScratchCall } from './scratch-repository.ts';
import { conversionSettings, openUserRepository } from './user-repository.ts';
import type { UserRepository } from './user-repository.ts';

/**
 * Offers a run's changes as a branch: one commit on top of the one that is checked out. Besides the branch and its objects
 * nothing in the user's repository changes, neither index nor files, settings or HEAD; all the work is done elsewhere.
 */
export async function writeBranch(store: TreeStore, options: BranchOptions): Promise<WrittenBranch> {
  const user = await openUserRepository(options.project);
  const branch = await findBranch(user, options.name);
  const settings = await conversionSettings(user);
  return ScratchRepository.use(user, settings, async (scratch) => {
    const result = await branchTree(scratch, { user, store, ...options, filters: settings.filters });
    const { conflicts, leftOut } = result;
    if (conflicts.length > 0) return { kind: 'conflict', conflicts, hint: hintFor(conflicts), leftOut };
    const made = await makeTree(scratch, result, user);
    if (made.tree === made.headTree) return { kind: 'unchanged', leftOut };
    const known = await sameAsPresent(scratch, { branch, parent: user.head, tree: made.tree });
    const commit = known ?? (await makeCommit(scratch, { ...made, user, message: options.message }));
    if (known === null) await bringOver(scratch, { ...made, user, commit });
    if (known === null) await updateBranch(user, branch, commit);
    return { kind: 'written', ref: branch.ref, commit, parent: user.head, replaced: branch.present, leftOut };
  });
}

export interface BranchOptions {
  readonly project: string;
  /** Without `refs/heads/`. */
  readonly name: string;
  /** What the run began with. */
  readonly base: TreeId;
  /** What the run made of it. */
  readonly tree: TreeId;
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
      readonly leftOut: readonly LeftOut[];
    }
  /** The commit that is checked out has everything already. */
  | { readonly kind: 'unchanged'; readonly leftOut: readonly LeftOut[] }
  /** No branch was made. */
  | {
      readonly kind: 'conflict';
      readonly conflicts: readonly BranchConflict[];
      readonly hint: string;
      readonly leftOut: readonly LeftOut[];
    };

function hintFor(conflicts: readonly BranchConflict[]): string {
  const other = 'take the result as a patch (--patch FILE) or apply it to your files (--apply)';
  const isUncommitted = conflicts.some(({ kind }) => kind === 'uncommitted');
  return isUncommitted ? `Commit your work first, or ${other}.` : `${other[0]?.toUpperCase()}${other.slice(1)}.`;
}

interface MadeTree {
  readonly tree: string;
  readonly headTree: string;
}

async function makeTree(scratch: ScratchRepository, result: BranchTree, user: UserRepository): Promise<MadeTree> {
  const index = 'result';
  await scratch.loadHead(index);
  const headTree = await answer(scratch, ['write-tree', '--missing-ok'], { index });
  const zeroId = '0'.repeat(user.format === 'sha256' ? 64 : 40);
  await scratch.git(['update-index', '-z', '--index-info'], { index, input: indexLines(result, zeroId) });
  return { headTree, tree: await answer(scratch, ['write-tree', '--missing-ok'], { index }) };
}

/** The branch has this already: made before, by this very call or one that died after it. */
async function sameAsPresent(
  scratch: ScratchRepository,
  { branch, parent, tree }: { readonly branch: BranchRef; readonly parent: string | null; readonly tree: string },
): Promise<string | null> {
  if (branch.present === null) return null;
  const text = String(await scratch.git(['cat-file', 'commit', branch.present]));
  const [first = '', second = ''] = text.split('\n');
  const hasParent = parent === null ? !second.startsWith('parent ') : second === `parent ${parent}`;
  return first === `tree ${tree}` && hasParent ? branch.present : null;
}

interface Commit extends MadeTree {
  readonly user: UserRepository;
  readonly message: string;
}

async function makeCommit(scratch: ScratchRepository, { tree, user, message }: Commit): Promise<string> {
  const { name, email } = user.identity;
  const parents = user.head === null ? [] : ['-p', user.head];
  const text = message.replaceAll('\0', '').trim() || 'Files of a run';
  return answer(scratch, ['commit-tree', tree, ...parents], {
    input: `${text}\n\n${TREE_TRAILER}: ${tree}\n`,
    env: { GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email, GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: email },
  });
}

/** Exactly the objects that are new, whatever the history looks like: it may be shallow or partial. */
async function bringOver(
  scratch: ScratchRepository,
  { tree, headTree, user, commit }: MadeTree & { readonly user: UserRepository; readonly commit: string },
): Promise<void> {
  const raw = await scratch.git([
    'diff-tree',
    '-r',
    '-t',
    '-z',
    '--raw',
    '--no-abbrev',
    '--no-renames',
    headTree,
    tree,
  ]);
  const heads = raw
    .toString('latin1')
    .split('\0')
    .filter((field) => field.startsWith(':'));
  const ids = heads.map((head) => head.split(' ')[3] ?? '').filter((id) => !/^0*$/.test(id));
  const pack = await scratch.git(['pack-objects', '--stdout', '-q'], {
    input: `${[commit, tree, ...ids].join('\n')}\n`,
  });
  await gitOutput(['unpack-objects', '-q'], { cwd: user.gitDir, env: { GIT_DIR: user.gitDir }, input: pack });
}

async function answer(scratch: ScratchRepository, words: readonly string[], call: ScratchCall): Promise<string> {
  return String(await scratch.git(words, call)).trim();
}

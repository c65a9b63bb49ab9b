import { join } from 'node:path';
import { trailersOf } from './branch-ref.ts';
import { indexLines } from './branch-tree.ts';
import type { EntryMap } from './entry-map.ts';
import { BIG_FILES, gitOutput } from './git-plumbing.ts';
import type { ScratchCall, ScratchRepository } from './scratch-repository.ts';
import type { UserRepository } from './user-repository.ts';

/** A commit on its way into the user's repository: made elsewhere, of the tree before it and the changes since. */
export interface MadeCommit {
  /** The tree that it goes on from. */
  readonly before: string;
  readonly tree: string;
  readonly commit: string;
}

/** The tree of the commit that a scratch repository begins with, in an index that can be changed. */
export async function headTree(scratch: ScratchRepository, index: string): Promise<string> {
  await scratch.loadHead(index);
  return writeTree(scratch, index);
}

/** The tree that an index becomes when the entries that differ are put into it. */
export async function changedTree(
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

export async function makeCommit(
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
export async function bringOver(
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

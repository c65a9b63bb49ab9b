import { Fault } from '../../core/model/fault.ts';
import { shownPath } from '../../lib/confined-path.ts';
import { isGitProject } from '../project-files.ts';
import { askGit, gitOutput } from '../git.ts';
import type { TakenResult } from '../../core/look/result-state.ts';

/** A branch of the user's repository that a run can be compared with. */
export interface UserBranch {
  /** As git takes it: unmistakable, also where a tag has the same name. */
  readonly name: string;
  readonly commit: string;
  /** When its newest commit was made, in milliseconds; 0 if unknown. */
  readonly at: number;
  readonly isCurrent: boolean;
  /** Where a branch of another repository was when it was last fetched. */
  readonly isRemote: boolean;
}

/** The one that is checked out first, then the most recent; null where the project is in no repository. Only looked at. */
export async function userBranches(project: string): Promise<readonly UserBranch[] | null> {
  if (!(await isGitProject(project))) return null;
  const found = (await listed(project, NEWEST_FIRST)) ?? (await listed(project, BY_NAME)) ?? [];
  return found.toSorted((a, b) => rank(a) - rank(b));
}

/** The user's own come before results of runs, and before what is somebody else's. */
const rank = ({ name, isCurrent, isRemote }: UserBranch): number =>
  isCurrent ? 0 : isRemote ? 3 : name.startsWith('troupe/') ? 2 : 1;

const FIELDS = ['HEAD', 'refname', 'refname:short', 'objectname', 'symref'];
const NEWEST_FIRST = { sort: '-committerdate', fields: [...FIELDS, 'committerdate:unix'] };
/** One branch whose commit is not there must not hide the others. */
const BY_NAME = { sort: 'refname', fields: FIELDS };

const MOST = 1000;

async function listed(project: string, { sort, fields }: typeof NEWEST_FIRST): Promise<readonly UserBranch[] | null> {
  const format = fields.map((field) => `%(${field})%00`).join('');
  const words = [
    'for-each-ref',
    `--sort=${sort}`,
    `--count=${MOST}`,
    `--format=${format}`,
    'refs/heads',
    'refs/remotes',
  ];
  const listed = await askGit(project, words);
  return listed === null ? null : Buffer.from(listed, 'latin1').toString('utf8').split('\0\n').flatMap(branchIn);
}

function branchIn(line: string): readonly UserBranch[] {
  const [head, ref = '', name = '', commit = '', symbolic = '', at = '0'] = line.split('\0');
  // A name that is not text cannot be said, and one that stands for another says nothing new.
  if (name === '' || symbolic !== '' || name.includes('\u{FFFD}')) return [];
  return [{ name, commit, at: Number(at) * 1000, isCurrent: head === '*', isRemote: !ref.startsWith('refs/heads/') }];
}

/** The commit that a person means by a branch, a tag, or any other name that git knows for one. */
export async function commitOf(project: string, ref: string): Promise<string> {
  const branches = await userBranches(project);
  if (branches === null) throw notInGit(project);
  const words = ['rev-parse', '--verify', '--quiet', `${ref}^{commit}`];
  const commit = isSayable(ref) ? ((await askGit(project, words))?.trim() ?? '') : '';
  // Git takes `^main` for "not main" and says so with a sign before it.
  if (/^[0-9a-f]{40,64}$/.test(commit)) return commit;
  throw new Fault('REF_UNKNOWN', `The repository of the project has no branch, tag or commit "${shownPath(ref)}".`, {
    hint: branchesHint(branches),
    facts: { ref, branches: branches.slice(0, MOST_TOLD).map(({ name }) => name) },
  });
}

/** Refuses a leading dash, which git would read as an option. */
const isSayable = (ref: string): boolean => ref.length <= MAX_NAME && /^[^-]/.test(ref) && !/[\p{Cc}\p{Cf}]/u.test(ref);

const MAX_NAME = 500;

const MOST_TOLD = 12;

function branchesHint(branches: readonly UserBranch[]): string {
  if (branches.length === 0) return 'It has no branches: nothing was committed yet.';
  const names = branches.slice(0, MOST_TOLD).map(({ name }) => shownPath(name));
  return `Its branches: ${names.join(', ')}${branches.length > MOST_TOLD ? ', …' : ''}`;
}

function notInGit(project: string): Fault {
  return new Fault('NOT_A_REPOSITORY', `${shownPath(project)} is in no git repository, so it has no branches.`, {
    hint: 'Compare with your files as they are now instead: --project',
  });
}

/**
 * The branches that hold nothing that the project's checked-out commit does not: merged by hand, with the same files, or deleted.
 * The others wait, and so do all if git cannot be asked. Three git calls, however many branches there are.
 */
export async function takenBranches(
  project: string,
  branches: readonly string[],
): Promise<ReadonlyMap<string, TakenResult>> {
  try {
    const ask = async (...args: string[]): Promise<string> =>
      (await gitOutput(args, { cwd: project, config: 'user' })).toString('utf8');
    // Git compares every ref with every name that it is asked for.
    const refs = branches.length > MOST_NAMED ? [REFS] : branches.map((branch) => REFS + branch);
    const [head, all, open] = await Promise.all([
      ask('rev-parse', '--verify', 'HEAD^{tree}'),
      ask('for-each-ref', FORMAT, ...refs),
      ask('for-each-ref', '--no-merged=HEAD', FORMAT, ...refs),
    ]);
    const [there, waiting] = [namesIn(all), namesIn(open, head.trim())];
    const taken = branches.filter((branch) => !waiting.has(branch));
    return new Map(taken.map((branch) => [branch, there.has(branch) ? 'merged' : 'branch-gone']));
  } catch {
    return new Map();
  }
}

const MOST_NAMED = 50;
const REFS = 'refs/heads/';
const FORMAT = '--format=%(tree) %(refname)';

/** Without those that hold the files of `head`. */
function namesIn(listed: string, head = ' '): ReadonlySet<string> {
  const lines = listed.split('\n').filter((line) => line !== '' && !line.startsWith(head));
  return new Set(lines.map((line) => line.slice(line.indexOf(' ') + 1 + REFS.length)));
}

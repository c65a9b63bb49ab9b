import { randomUUID } from 'node:crypto';
import { join, resolve } from 'node:path';
import { Fault, isFault } from '../../core/model/fault.ts';
import { shownPath } from '../../lib/confined-path.ts';
import type { BytePath } from '../byte-path.ts';
import { gitOutput, runGit, type GitAnswer } from '../git.ts';

/** The user's repository, only looked at: where its parts are, what is checked out, who the user is. */
export interface UserRepository {
  readonly project: string;
  readonly gitDir: string;
  readonly objects: string;
  readonly infoAttributes: string;
  readonly format: string;
  /** The project's folder inside the repository, with a slash at the end; empty at its top. */
  readonly prefix: BytePath;
  /** The commit that is checked out; null before the first. */
  readonly head: string | null;
  readonly identity: { readonly name: string; readonly email: string };
}

/** One start of git answers all questions about places; an unpredictable line separates the answers. */
export async function openUserRepository(project: string): Promise<UserRepository> {
  const call = { cwd: project, config: 'user' } as const;
  const mark = `--${randomUUID()}`;
  const words = [...QUESTIONS.flatMap((question) => [...question, mark]), '--verify', '--quiet', 'HEAD^{commit}'];
  const { output, exitCode, errorOutput } = await runGit(['rev-parse', ...words], call);
  const answers = output.toString('latin1').split(`${mark}\n`);
  const [inside, format = '', prefix = '', gitDir, objects, infoAttributes, head] = answers.map(withoutLineEnd);
  if (inside !== 'true') throw notARepository(project, errorOutput.trim());
  const values = toSettings(await runGit(['config', '-z', '--get-regexp', '^user[.](name|email)$'], call));
  return {
    project,
    gitDir: toPath(gitDir),
    objects: resolve(project, toPath(objects)),
    infoAttributes: resolve(project, toPath(infoAttributes)),
    format,
    prefix,
    head: exitCode === 0 && head ? head : await noCommitYet(toPath(gitDir)),
    identity: {
      name: asText(values.get('user.name')) || 'Troupe',
      email: asText(values.get('user.email')) || 'troupe@localhost.invalid',
    },
  };
}

const QUESTIONS = [
  ...['--is-inside-work-tree', '--show-object-format', '--show-prefix', '--absolute-git-dir'].map((flag) => [flag]),
  ['--git-path', 'objects'],
  ['--git-path', 'info/attributes'],
];

const withoutLineEnd = (answer: string): string => answer.replace(/\n$/, '');

/** Settings that decide in what form git keeps a file, and the names of the outside programs that would take part. */
export async function conversionSettings({ project }: UserRepository): Promise<ConversionSettings> {
  const call = { cwd: project, config: 'user' } as const;
  const wanted = String.raw`^(core\.(autocrlf|eol|attributesfile)|filter\..*\.(clean|process))$`;
  const values = toSettings(await runGit(['config', '-z', '--get-regexp', wanted], call));
  const filters = [...values.keys()].map((key) => /^filter\.(.*)\.(?:clean|process)$/s.exec(key)?.[1]);
  const file = await runGit(['config', '--type=path', '--get', 'core.attributesfile'], call);
  return {
    autocrlf: values.get('core.autocrlf') ?? 'false',
    eol: values.get('core.eol') ?? 'native',
    attributesFile: file.exitCode === 0 ? toPath(file.output.toString('latin1').trimEnd()) : defaultAttributes(),
    filters: new Set(filters.filter((name) => name !== undefined)),
  };
}

export interface ConversionSettings {
  readonly autocrlf: string;
  readonly eol: string;
  readonly attributesFile: string;
  readonly filters: ReadonlySet<string>;
}

/** The last value of each. */
const toSettings = ({ output }: GitAnswer): ReadonlyMap<string, string> =>
  new Map(output.toString('latin1').split('\0').filter(Boolean).map(toPair));

function toPair(line: string): readonly [string, string] {
  const at = line.indexOf('\n');
  // A key without a value is true.
  return at === -1 ? [line, 'true'] : [line.slice(0, at), line.slice(at + 1)];
}

function defaultAttributes(): string {
  const config = process.env['XDG_CONFIG_HOME'] ?? join(process.env['HOME'] ?? '/nonexistent', '.config');
  return join(config, 'git', 'attributes');
}

/** Fine when HEAD names a branch that does not exist yet; otherwise the repository is damaged, and guessing would make it worse. */
async function noCommitYet(gitDir: string): Promise<null> {
  const call = { cwd: gitDir, env: { GIT_DIR: gitDir } };
  const branch = await runGit(['symbolic-ref', '--quiet', 'HEAD'], call);
  const name = branch.output.toString('utf8').trim();
  const isThere = await runGit(['rev-parse', '--verify', '--quiet', name], call);
  if (branch.exitCode === 0 && name.startsWith('refs/heads/') && isThere.exitCode !== 0) return null;
  throw new Fault('REPOSITORY_DAMAGED', `HEAD of ${shownPath(gitDir)} leads to no commit.`, {
    hint: 'See what `git fsck` says. The result can be had as a patch meanwhile.',
  });
}

function notARepository(project: string, reason: string): Fault {
  const why = reason === '' ? '.' : `: ${reason.replaceAll('\n', '; ')}`;
  return new Fault('NOT_A_REPOSITORY', `${shownPath(project)} is not in a git repository that git can read${why}`, {
    hint: 'Take the result as a patch, or apply it to the files.',
  });
}

function toPath(bytes: string | undefined): string {
  return Buffer.from(bytes ?? '', 'latin1').toString('utf8');
}

/** Removes characters that git refuses in an identity. */
function asText(bytes: string | undefined): string {
  return toPath(bytes)
    .replaceAll(/[\p{Cc}<>]/gu, '')
    .trim();
}

/** A branch of the user's repository by its full name. */
export interface BranchRef {
  readonly ref: string;
  /** What it names now; null when there is none. */
  readonly present: string | null;
}

/** Names of Troupe's own branches begin so. */
const OWN_BRANCHES = 'troupe/';

const isTroupesName = (name: string): boolean => name.startsWith(OWN_BRANCHES);

const RUN_TRAILER = 'Troupe-Run';

/** Valid only while the commit is unchanged. */
const TREE_TRAILER = 'Troupe-Tree';

/** The last lines of every commit made here: by them a branch is known again, and whose it is. */
export const trailersOf = (owner: string, tree: string): string =>
  `${RUN_TRAILER}: ${owner}\n${TREE_TRAILER}: ${tree}\n`;

/** Finds out whether a branch of this name may be written by its owner, and says what to do where it may not. */
export async function findBranch(user: UserRepository, { name, owner }: NamedBranch): Promise<BranchRef> {
  const ref = `refs/heads/${name}`;
  if (!(await isGoodName(user, name))) {
    throw new Fault('BRANCH_NAME', `${shownPath(name)} cannot be the name of a branch.`, {
      hint: 'Choose another, such as troupe/result.',
      facts: { name },
    });
  }
  const format = '%(refname)%00%(objectname)%00%(symref)%00%(worktreepath)%00';
  const listed = await gitOutput(['for-each-ref', `--format=${format}`, ref], callOf(user));
  const found = listed
    .toString('utf8')
    .split('\0\n')
    .map((line) => line.split('\0'));
  const own = found.find(([refname]) => refname === ref);
  if (own === undefined) return { ref, present: null };
  const [, present = '', symbolic = '', checkedOut = ''] = own;
  await refuseToReplace(user, { name, owner, present, symbolic, checkedOut });
  return { ref, present };
}

export interface NamedBranch {
  /** Without `refs/heads/`. */
  readonly name: string;
  /** The run whose result it is; only its own branches are ever created again. */
  readonly owner: string;
}

/**
 * Under another name than Troupe's own a branch may be the user's, that only took in a result of the run: it is not written
 * over where something below that result would be on no branch any more. `user.head` is what the new commit continues from.
 */
export async function refuseToLose(
  user: UserRepository,
  branch: BranchRef,
  { name, owner }: NamedBranch,
): Promise<void> {
  const { present } = branch;
  if (present === null || isTroupesName(name)) return;
  const below = await belowResult(user, { present, owner });
  if (below === null || (user.head !== null && (await isIn(user, below, user.head)))) return;
  throw branchExists(name, present, 'with commits that what is checked out has not');
}

/** Only if it still names what was found; null removes it. Nothing else of the repository changes, and no hook is asked. */
export async function updateBranch(user: UserRepository, branch: BranchRef, commit: string | null): Promise<void> {
  const line = updateLine(branch, commit);
  const { name, email } = user.identity;
  const answer = await runGit(['update-ref', '--no-deref', '-m', 'troupe: files of a run', '--stdin', '-z'], {
    ...callOf(user),
    env: { GIT_DIR: user.gitDir, GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: email },
    input: Buffer.from(line),
  });
  if (answer.exitCode === 0) return;
  throw new Fault('BRANCH_NOT_WRITTEN', `The branch ${branch.ref} could not be written: ${answer.errorOutput.trim()}`, {
    hint: 'Try again, or choose another name for the branch.',
  });
}

function updateLine({ ref, present }: BranchRef, commit: string | null): string {
  if (commit === null) return `delete ${ref}\0${present ?? ''}\0`;
  return present === null ? `create ${ref}\0${commit}\0` : `update ${ref}\0${commit}\0${present}\0`;
}

async function isGoodName(user: UserRepository, name: string): Promise<boolean> {
  // Git itself takes `@` for HEAD, and a branch called HEAD for anything at all.
  if (['', '@', 'HEAD'].includes(name) || name.startsWith('-') || name.length > MAX_NAME) return false;
  if (/[\p{Cc}\p{Cf}]/u.test(name)) return false;
  return (await runGit(['check-ref-format', `refs/heads/${name}`], callOf(user))).exitCode === 0;
}

const MAX_NAME = 200;

interface PresentBranch extends NamedBranch {
  readonly present: string;
  readonly symbolic: string;
  readonly checkedOut: string;
}

async function refuseToReplace(user: UserRepository, branch: PresentBranch): Promise<void> {
  const { name, present, symbolic, checkedOut } = branch;
  const why =
    symbolic !== ''
      ? 'and it stands for another branch'
      : checkedOut !== ''
        ? 'and it is checked out'
        : await notOwn(user, branch);
  if (why !== null) throw branchExists(name, present, why);
}

function branchExists(name: string, present: string, why: string): Fault {
  return new Fault('BRANCH_EXISTS', `There is a branch ${name} already, ${why}.`, {
    hint: `Choose another name with --branch, or first rename that one: git branch -m ${name} ${name}-old`,
    facts: { name, present },
  });
}

/** Why the commit that a branch names is not one this run made, as it made it; null when it is. */
async function notOwn(user: UserRepository, { name, owner, present }: PresentBranch): Promise<string | null> {
  const commit = await readCommit(user, present);
  if (commit === null || commit.owner === null) {
    return isTroupesName(name) ? 'and it has changed since Troupe made it' : 'and it is not one of Troupe';
  }
  if (commit.owner !== owner) return `with the result of another: ${shownPath(commit.owner)}`;
  return commit.isAsMade ? null : 'and it has changed since Troupe made it';
}

/** The commit a result was put on, or before that the one that work was put on which the run had begun with. */
async function belowResult(
  user: UserRepository,
  { present, owner }: Pick<PresentBranch, 'present' | 'owner'>,
): Promise<string | null> {
  const parent = (await readCommit(user, present))?.parent ?? null;
  const began = parent === null ? null : await readCommit(user, parent);
  return began?.owner === owner && began.isAsMade ? began.parent : parent;
}

interface ReadCommit {
  readonly parent: string | null;
  /** Null where Troupe did not make it. */
  readonly owner: string | null;
  /** Whether its files are unchanged since. */
  readonly isAsMade: boolean;
}

async function readCommit(user: UserRepository, id: string): Promise<ReadCommit | null> {
  const { exitCode, output } = await runGit(['cat-file', 'commit', id], callOf(user));
  const text = output.toString('utf8');
  const head = exitCode === 0 ? /^tree ([0-9a-f]+)\n(?:parent ([0-9a-f]+)\n)?/.exec(text) : null;
  if (head === null) return null;
  const madeBy = new RegExp(`\\n${RUN_TRAILER}: ([^\\n]*)\\n${TREE_TRAILER}: ([0-9a-f]+)$`).exec(text.trimEnd());
  return { parent: head[2] ?? null, owner: madeBy?.[1] ?? null, isAsMade: madeBy?.[2] === head[1] };
}

async function isIn(user: UserRepository, commit: string, head: string): Promise<boolean> {
  return (await runGit(['merge-base', '--is-ancestor', commit, head], callOf(user))).exitCode === 0;
}

function callOf({ gitDir }: UserRepository) {
  return { cwd: gitDir, env: { GIT_DIR: gitDir } };
}

/** Removes a branch of Troupe's own that holds only what its owner put there. A branch that a person named or worked on stays. */
export async function removeBranch(project: string, named: NamedBranch): Promise<'removed' | 'kept' | 'absent'> {
  try {
    const user = await openUserRepository(project);
    const branch = await findBranch(user, named);
    if (branch.present === null) return 'absent';
    if (!isTroupesName(named.name)) return 'kept';
    await updateBranch(user, branch, null);
    return 'removed';
  } catch (error) {
    if (!isFault(error)) throw error;
    return 'kept';
  }
}

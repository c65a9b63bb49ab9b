import { shownPath, splitPath } from '../lib/confined-path.ts';
import { defineTool, refusedTool, objectSchema } from './define-tool.ts';
import { type AskGit, GitFailed, NO_REPOSITORY, withRepository } from './git/ask-git.ts';

const REVISION = { type: 'string', minLength: 1, maxLength: 200 } as const;

interface DiffInput {
  readonly from?: string;
  readonly to?: string;
  readonly path?: string;
  readonly stat?: boolean;
}

export const gitDiffTool = defineTool<DiffInput>({
  name: 'git_diff',
  description:
    "Show what changed since the run began, new files included. The user's own uncommitted work is part of that beginning. With from: since that commit.",
  parameters: objectSchema([], {
    from: { ...REVISION, description: 'A commit to compare with. Default: the beginning of the run' },
    to: { ...REVISION, description: 'A commit, beside from. Default: the files as they are' },
    path: { type: 'string', minLength: 1, description: 'A file or folder' },
    stat: { type: 'boolean', description: 'Only names and numbers of lines' },
  }),
  repeat: 'safe',
  access: 'read',
  async run(input, context) {
    const path = splitPath(input.path ?? '.').join('/') || null;
    const changes = context.services?.changes;
    if (changes !== undefined && input.from === undefined && input.to === undefined)
      return (await changes({ path, isStat: input.stat === true })).text;
    const text = await withRepository(context, async (ask) => {
      const scope = path === null ? [] : [path];
      if (input.to === undefined) await addNewFiles(ask, scope);
      const { output } = await ask([...DIFF, ...(await choice(ask, input)), '--', ...scope]);
      return output === '' ? 'Nothing is changed.' : output;
    });
    return text ?? refusedTool(NO_REPOSITORY);
  },
});

/** No program of the repository's choosing compares or converts; no other repository is looked into. */
const DIFF = 'diff --no-ext-diff --no-textconv --no-color --ignore-submodules=all --submodule=short'.split(' ');

/** In the throw-away copy of the index only. A name that ends with a slash is a nested repository. */
async function addNewFiles(ask: AskGit, scope: readonly string[]): Promise<void> {
  const { rawOutput, truncated } = await ask(['ls-files', '--others', '--exclude-standard', '-z', '--', ...scope]);
  const names = rawOutput
    .toString('utf8')
    .split('\0')
    .slice(0, truncated ? -1 : undefined);
  const files = names.filter((name) => name !== '' && !name.endsWith('/') && !name.includes('\uFFFD'));
  if (files.length > 0) await ask(['add', '--intent-to-add', '--force', '--', ...files.slice(0, MOST_NEW)]);
}

const MOST_NEW = 500;

async function choice(ask: AskGit, { from, to, stat }: DiffInput): Promise<readonly string[]> {
  const start = from === undefined ? await headOrNothing(ask) : await commitId(ask, from);
  return [...(stat === true ? ['--stat=120'] : []), start, ...(to === undefined ? [] : [await commitId(ask, to)])];
}

interface LogInput {
  readonly from?: string;
  readonly path?: string;
  readonly count?: number;
  readonly full?: boolean;
}

export const gitLogTool = defineTool<LogInput>({
  name: 'git_log',
  description: 'Show the commits up to the present one: id, date, author, subject.',
  parameters: objectSchema([], {
    from: { ...REVISION, description: 'The newest commit, branch or tag to show' },
    path: { type: 'string', minLength: 1, description: 'A file or folder' },
    count: { type: 'integer', minimum: 1, maximum: 200, description: 'Default: 20' },
    full: { type: 'boolean', description: 'Whole messages and changed files' },
  }),
  repeat: 'safe',
  access: 'read',
  async run({ from = 'HEAD', path, count = 20, full = false }, context) {
    const paths = path === undefined ? [] : [splitPath(path).join('/')];
    const text = await withRepository(context, async (ask) => {
      if (!(await hasCommits(ask))) return 'There are no commits yet.';
      const commit = await commitId(ask, from);
      const { output } = await ask([...LOG, ...(full ? FULL : SHORT), `--max-count=${count}`, commit, '--', ...paths]);
      return output.trim() === '' ? 'No commit fits.' : output.trimEnd();
    });
    return text ?? refusedTool(NO_REPOSITORY);
  },
});

const LOG = ['log', '--no-color', '--no-show-signature', '--no-ext-diff', '--no-textconv', '--date=iso-strict'];
const SHORT = ['--format=%h %ad %an%d: %s'];
const FULL = ['--format=%n%h %ad %an <%ae>%d%n%n%w(0,4,4)%B', '--stat=120', '--ignore-submodules=all'];

export const gitStatusTool = defineTool<Record<string, never>>({
  name: 'git_status',
  description:
    "Show the branch, the files changed since the run began, and apart from them the user's own uncommitted files from before.",
  parameters: objectSchema([], {}),
  repeat: 'safe',
  access: 'read',
  async run(_input, context) {
    const changed = await context.services?.changes?.({ path: null, isStat: true });
    const entries = await withRepository(context, async (ask) => {
      const { rawOutput } = await ask(STATUS);
      return rawOutput.toString('latin1').split('\0').filter(Boolean);
    });
    if (entries === null) return refusedTool(NO_REPOSITORY);
    const [branch = '', ...files] = entries;
    // Without the beginning of the run all that git sees is shown as one list.
    const before = files.filter((entry) => !changed?.paths.includes(bytesOf(entry).toString('utf8')));
    const list = before.map((entry) => `${entry.slice(0, 3)}${shownPath(bytesOf(entry))}`).join('\n');
    if (changed === undefined) return `${branch}\n${list === '' ? 'Nothing is changed.' : list}`;
    const users = list === '' ? '' : `\n\nUncommitted by the user before the run began, not part of the work:\n${list}`;
    return `${branch}\n\nSince the run began: ${changed.text}${users}`;
  },
});

const STATUS = 'status --short --branch -z --ignore-submodules=all --no-renames --untracked-files=all'.split(' ');

/** Behind the two letters of its state. */
const bytesOf = (entry: string): Buffer => Buffer.from(entry.slice(3), 'latin1');

/** The full id of the commit that an agent named, so that the agent's text never reaches another command. */
async function commitId(ask: AskGit, revision: string): Promise<string> {
  if (revision.startsWith('-') || /[\p{Cc}\p{Cs}]/u.test(revision)) throw unknown(revision);
  try {
    const { output } = await ask(['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`]);
    if (/^[0-9a-f]{40,64}$/.test(output.trim())) return output.trim();
  } catch (error) {
    if (!(error instanceof GitFailed)) throw error;
  }
  throw unknown(revision);
}

/** The last commit; the empty tree where nothing was committed yet. */
async function headOrNothing(ask: AskGit): Promise<string> {
  if (await hasCommits(ask)) return commitId(ask, 'HEAD');
  const { output } = await ask(['hash-object', '-t', 'tree', '/dev/null']);
  return output.trim();
}

/** A HEAD that names a commit which cannot be read is damage, not a beginning. */
async function hasCommits(ask: AskGit): Promise<boolean> {
  try {
    await ask(['rev-parse', '--verify', '--quiet', 'HEAD']);
    return true;
  } catch (error) {
    if (error instanceof GitFailed) return false;
    throw error;
  }
}

function unknown(revision: string): Error {
  return new Error(`There is no commit ${JSON.stringify(revision)} in this repository.`);
}

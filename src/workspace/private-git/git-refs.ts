import { quietGit } from '../quiet-git.ts';

/** Where a repository stands, and its branches and tags, so that an agent can compare with them. */
export interface RefStanding {
  readonly head: GitHead;
  readonly refs: readonly Ref[];
}

/** No commit: nothing was committed yet. No branch: a commit is checked out by its id. */
export interface GitHead {
  /** As a full name, in bytes. */
  readonly branch: string | null;
  readonly commit: string | null;
}

export interface Ref {
  readonly id: string;
  readonly name: string;
}

/** Workspaces are made several at a time, and starting git is most of that: who asks while somebody asks hears the same. */
export function readStanding(project: string): Promise<RefStanding> {
  const asked = ASKING.get(project) ?? askStanding(project).finally(() => ASKING.delete(project));
  ASKING.set(project, asked);
  return asked;
}

const ASKING = new Map<string, Promise<RefStanding>>();

/** Mostly the list of branches says which one is checked out; else git is asked again. */
async function askStanding(project: string): Promise<RefStanding> {
  const lines = await listRefs(project);
  const refs = lines.map((line) => refIn(line.slice(1)));
  const current = lines.find((line) => line.startsWith(CURRENT));
  if (current === undefined) return { head: await readHead(project), refs };
  const { id, name } = refIn(current.slice(1));
  return { head: { branch: name, commit: id }, refs };
}

/** How git marks the branch that is checked out; the others have a blank there. */
const CURRENT = '*';
const FORMAT = '%(HEAD)%(objectname) %(refname)';
const MAX_REFS = 5000;

async function listRefs(project: string): Promise<readonly string[]> {
  const places = ['refs/heads', 'refs/tags', 'refs/remotes'];
  const listed = await quietGit(project, ['for-each-ref', `--count=${MAX_REFS}`, `--format=${FORMAT}`, ...places]);
  if (listed?.exitCode !== 0 || listed.truncated) return [];
  return listed.rawOutput
    .toString('latin1')
    .split('\n')
    .filter((line) => line.includes(' ', 1));
}

function refIn(text: string): Ref {
  const space = text.indexOf(' ');
  return { id: text.slice(0, space), name: text.slice(space + 1) };
}

async function readHead(project: string): Promise<GitHead> {
  const [branch, commit] = await Promise.all([quietGit(project, ['symbolic-ref', '-q', 'HEAD']), readCommit(project)]);
  return { branch: branch?.exitCode === 0 ? branch.rawOutput.toString('latin1').trim() : null, commit };
}

/** The commit that is checked out; null where there is none yet. */
export async function readCommit(project: string): Promise<string | null> {
  const commit = await quietGit(project, ['rev-parse', '-q', '--verify', 'HEAD^{commit}']);
  return commit?.exitCode === 0 ? commit.output.trim() : null;
}

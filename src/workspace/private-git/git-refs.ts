import { quietGit } from '../quiet-git.ts';

/** Where a repository stands. No commit: nothing was committed yet. No branch: a commit is checked out by its id. */
export interface Head {
  /** As a full name, in bytes. */
  readonly branch: string | null;
  readonly commit: string | null;
}

export async function readHead(project: string): Promise<Head> {
  const [branch, commit] = await Promise.all([
    quietGit(project, ['symbolic-ref', '-q', 'HEAD']),
    quietGit(project, ['rev-parse', '-q', '--verify', 'HEAD^{commit}']),
  ]);
  return {
    branch: branch?.exitCode === 0 ? branch.rawOutput.toString('latin1').trim() : null,
    commit: commit?.exitCode === 0 ? commit.output.trim() : null,
  };
}

export interface Ref {
  readonly id: string;
  readonly name: string;
}

/** Branches and tags, so that an agent can compare with them. */
export async function readRefs(project: string): Promise<readonly Ref[]> {
  const places = ['refs/heads', 'refs/tags', 'refs/remotes'];
  const words = ['for-each-ref', `--count=${MAX_REFS}`, '--format=%(objectname) %(refname)', ...places];
  const listed = await quietGit(project, words);
  if (listed?.exitCode !== 0 || listed.truncated) return [];
  const lines = listed.rawOutput.toString('latin1').split('\n');
  return lines.flatMap((line) => {
    const space = line.indexOf(' ');
    return space === -1 ? [] : [{ id: line.slice(0, space), name: line.slice(space + 1) }];
  });
}

const MAX_REFS = 5000;

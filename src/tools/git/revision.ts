import { GitFailed } from './ask-git.ts';
import type { AskGit } from './ask-git.ts';

/** The full id of the commit that an agent named; what it wrote never reaches another command. */
export async function commitId(ask: AskGit, revision: string): Promise<string> {
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
export async function headOrNothing(ask: AskGit): Promise<string> {
  if (await hasCommits(ask)) return commitId(ask, 'HEAD');
  const { output } = await ask(['hash-object', '-t', 'tree', '/dev/null']);
  return output.trim();
}

/** A HEAD that names a commit which cannot be read is damage, not a beginning. */
export async function hasCommits(ask: AskGit): Promise<boolean> {
  try {
    await ask(['rev-parse', '--verify', '--quiet', 'HEAD']);
    return true;
  } catch (error) {
    if (error instanceof GitFailed) return false;
    throw error;
  }
}

export const REVISION = { type: 'string', minLength: 1, maxLength: 200 } as const;

function unknown(revision: string): Error {
  return new Error(`There is no commit ${JSON.stringify(revision)} in this repository.`);
}

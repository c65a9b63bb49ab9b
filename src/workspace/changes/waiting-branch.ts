import { runGit } from './git-plumbing.ts';

/**
 * Whether a branch still holds something that the project's checked-out commit has not: not after it was merged by hand, not
 * when both have the same files, and not when it is gone. A project that git cannot be asked about keeps waiting.
 */
export async function isBranchWaiting(project: string, branch: string): Promise<boolean> {
  const ref = `refs/heads/${branch}`;
  const ask = async (...words: string[]): Promise<number | null> =>
    (await runGit(words, { cwd: project, config: 'user' })).exitCode;
  if ((await ask('rev-parse', '--verify', '--quiet', 'HEAD^{commit}')) !== 0) return true;
  if ((await ask('rev-parse', '--verify', '--quiet', ref)) !== 0) return false;
  if ((await ask('merge-base', '--is-ancestor', ref, 'HEAD')) === 0) return false;
  return (await ask('diff-tree', '--quiet', ref, 'HEAD')) !== 0;
}

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Fault } from '../../core/model/fault.ts';
import { lastLines } from '../../core/look/last-lines.ts';
import type { MergeOutcome } from '../../host/deliver/merge-outcome.ts';

const run = promisify(execFile);

export interface PushedBranch {
  /** The user's clone. */
  readonly project: string;
  readonly remote: string;
  /** With the user's own logins and settings of git. */
  readonly environment: NodeJS.ProcessEnv;
}

/** Pushes the branch that a delivery wrote to a remote of the user's clone. Null where it wrote none. PUSH_FAILED. */
export async function pushBranch(
  outcome: MergeOutcome,
  { project, remote, environment }: PushedBranch,
): Promise<string | null> {
  if (outcome.kind !== 'result.branch') return null;
  const { branch } = outcome;
  const ref = `refs/heads/${branch}`;
  try {
    await run('git', ['push', '--', remote, `${ref}:${ref}`], { cwd: project, env: environment });
  } catch (cause) {
    const said = (cause as { readonly stderr?: unknown }).stderr;
    const why = typeof said === 'string' && said.trim() !== '' ? `: ${lastLines(said)}` : '.';
    throw new Fault('PUSH_FAILED', `git could not push ${branch} to ${remote}${why}`, {
      hint: `The branch is in your clone. Push it yourself: git push ${remote} ${branch}`,
      cause,
    });
  }
  return branch;
}

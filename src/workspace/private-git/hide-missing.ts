import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { quietGit } from '../quiet-git.ts';

/**
 * Files that the repository tracks and that a workspace never gets (control folders, links that lead out) would look deleted
 * there, and a commit would delete them. Git is told not to look for them. What the user deleted stays deleted.
 */
export async function hideMissing({ project, folder, own }: HideRequest): Promise<void> {
  const place = [`--git-dir=${own}`, `--work-tree=${folder}`];
  const listed = await quietGit(folder, [...place, 'ls-files', '-dz']);
  if (listed?.exitCode !== 0) return;
  const missing = listed.rawOutput
    .toString('latin1')
    .split('\0')
    .filter((path) => path !== '');
  const hidden = [...new Set(missing)].filter((path) => isThere(project, path));
  for (let at = 0; at < hidden.length; at += PATHS_PER_CALL) {
    const paths = hidden.slice(at, at + PATHS_PER_CALL).map((path) => Buffer.from(path, 'latin1').toString('utf8'));
    await quietGit(folder, [...place, 'update-index', '--skip-worktree', '--', ...paths]);
  }
}

export interface HideRequest {
  readonly project: string;
  readonly folder: string;
  /** The workspace's git folder. */
  readonly own: string;
}

const PATHS_PER_CALL = 500;

function isThere(project: string, path: string): boolean {
  const whole = Buffer.concat([Buffer.from(join(project, '/')), Buffer.from(path, 'latin1')]);
  try {
    return lstatSync(whole, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

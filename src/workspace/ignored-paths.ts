import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { BytePath } from './byte-path.ts';
import { quietGit } from './quiet-git.ts';
import type { RunPlace } from './run-place.ts';

/**
 * Tells which paths of a run's folder its `.gitignore` files leave out: build results, installed packages. The folder is no
 * repository, so git is lent an empty one that no agent could have touched. Without git nothing is ignored.
 */
export async function ignoredPaths(place: RunPlace): Promise<(path: BytePath) => boolean> {
  const lent = await mkdtemp(join(place.base, 'ignore-'));
  try {
    const made = await quietGit(place.base, ['init', '--quiet', '--bare', '--template=', lent]);
    if (made?.exitCode !== 0) return () => false;
    const words = ['-c', 'core.bare=false', `--git-dir=${lent}`, `--work-tree=${place.work}`];
    const listed = await quietGit(place.work, [...words, 'ls-files', '-oiz', '--exclude-standard', '--directory']);
    return listed?.exitCode === 0 ? within(listed.rawOutput.toString('latin1').split('\0')) : () => false;
  } finally {
    await rm(lent, { recursive: true, force: true });
  }
}

/** A folder that is ignored as a whole is listed once, with a slash at its end. */
function within(listed: readonly BytePath[]): (path: BytePath) => boolean {
  const paths = new Set(listed.filter((path) => path !== ''));
  return (path) => {
    if (paths.has(path)) return true;
    for (let slash = path.indexOf('/'); slash !== -1; slash = path.indexOf('/', slash + 1)) {
      if (paths.has(path.slice(0, slash + 1))) return true;
    }
    return false;
  };
}

import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { BytePath } from '../byte-path.ts';
import { quietGit } from '../quiet-git.ts';
import type { TreeEntry } from '../store/port.ts';
import { indexPaths } from './index-paths.ts';
import { readPlain } from './read-plain.ts';

/**
 * Files that the repository tracks and that a workspace never gets (control folders, what cannot be kept) would look deleted
 * there, and a commit would delete them. Git is told not to look for them. What the user deleted stays deleted.
 */
export async function hideMissing(request: HideRequest): Promise<void> {
  const { project, folder, own } = request;
  const place = [`--git-dir=${own}`, `--work-tree=${folder}`];
  const missing = (await missingByIndex(request)) ?? (await missingByGit(folder, place));
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
  readonly idBytes: number;
  /** What the folder was made from: the rest is looked for. */
  readonly known: ReadonlyMap<BytePath, TreeEntry>;
}

const PATHS_PER_CALL = 500;

/** Git would look at every file there is; here most are known. Null when only git can read the index. */
async function missingByIndex({ own, idBytes, known, folder }: HideRequest): Promise<readonly BytePath[] | null> {
  const index = await readPlain(join(own, 'index'));
  if (index === null) return [];
  const paths = indexPaths(index, idBytes);
  const isKnown = (path: BytePath): boolean => (known.get(path)?.kind ?? 'unkept') !== 'unkept';
  return paths?.filter((path) => !isKnown(path) && !isThere(folder, path)) ?? null;
}

async function missingByGit(folder: string, place: readonly string[]): Promise<readonly BytePath[]> {
  const listed = await quietGit(folder, [...place, 'ls-files', '-dz']);
  if (listed?.exitCode !== 0) return [];
  const paths = listed.rawOutput.toString('latin1').split('\0');
  return paths.filter((path) => path !== '');
}

function isThere(project: string, path: BytePath): boolean {
  const whole = Buffer.concat([Buffer.from(join(project, '/')), Buffer.from(path, 'latin1')]);
  try {
    return lstatSync(whole, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

import { lstatSync } from 'node:fs';
import { shownPath } from '../../lib/confined-path.ts';
import type { BytePath } from '../../workspace/byte-path.ts';
import type { TreeStore } from '../../workspace/store/port.ts';
import type { RunFiles } from '../../host/deliver/find-files.ts';

/**
 * Which paths of the project no workspace of a run ever got, although they were there: too large, not to be read. The journal
 * names the first of them; where there were more, what lies in the project and the run did not begin with counts as one.
 */
export async function leftOutPaths(
  { began, project }: Pick<RunFiles, 'began' | 'project'>,
  store: Pick<TreeStore, 'entries'>,
): Promise<(path: BytePath) => boolean> {
  const { count, some } = began.skipped ?? { count: 0, some: [] };
  const named = new Set(some.map(({ path }) => path));
  const isNamed = (path: BytePath): boolean => named.has(shownPath(Buffer.from(path, 'latin1')));
  if (count <= some.length) return isNamed;
  const known = await store.entries(began.tree);
  return (path) => isNamed(path) || (!known.has(path) && isThere(project, path));
}

function isThere(project: string, path: BytePath): boolean {
  const whole = Buffer.concat([Buffer.from(`${project}/`), Buffer.from(path, 'latin1')]);
  try {
    return lstatSync(whole, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

import type { TreeId } from '../../core/ids.ts';
import { shownPath } from '../../lib/confined-path.ts';
import type { TreeStore } from '../store/port.ts';

/** Tells of files of the project that a setup command changed or removed: a workspace begins with them as they were. */
export async function tellUndone({ store, command, tell }: Telling, tree: TreeId, after: TreeId): Promise<void> {
  if (tell === undefined || tree === after) return;
  const changes = await store.compare(tree, after);
  const paths = changes
    .filter(({ before }) => before !== null)
    .map(({ path }) => shownPath(Buffer.from(path, 'latin1')));
  if (paths.length === 0) return;
  const more = paths.length > SHOWN ? ` and ${paths.length - SHOWN} more` : '';
  tell(
    `The setup command \`${command}\` changed files of the project, which were put back: ${paths.slice(0, SHOWN).join(', ')}${more}`,
  );
}

const SHOWN = 10;

interface Telling {
  readonly store: TreeStore;
  readonly command: string;
  readonly tell: ((sentence: string) => void) | undefined;
}

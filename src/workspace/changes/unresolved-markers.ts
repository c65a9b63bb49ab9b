import type { TreeId } from '../../core/ids.ts';
import type { BytePath } from '../byte-path.ts';
import type { TreeStore } from '../store/port.ts';

/** Files in which marks of a conflict still stand, with the line of the first. */
export async function unresolvedMarkers(
  store: TreeStore,
  tree: TreeId,
  paths: readonly BytePath[],
): Promise<readonly UnresolvedMarker[]> {
  const entries = await store.entries(tree);
  const found: UnresolvedMarker[] = [];
  for (const path of paths) {
    const entry = entries.get(path);
    if (entry?.kind !== 'file') continue;
    const line = firstMarker((await store.read(entry.blob)).toString('latin1').split('\n'));
    if (line !== null) found.push({ path, line });
  }
  return found;
}

export interface UnresolvedMarker {
  readonly path: BytePath;
  readonly line: number;
}

/** An opening mark with its closing one further down: a row of `=` alone may be a heading. */
function firstMarker(lines: readonly string[]): number | null {
  const start = lines.findIndex((line) => /^<{7}(?: |\r?$)/.test(line));
  if (start === -1) return null;
  return lines.slice(start).some((line) => /^>{7}(?: |\r?$)/.test(line)) ? start + 1 : null;
}

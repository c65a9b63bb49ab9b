import type { TreeId } from '../../core/ids.ts';
import type { BytePath } from '../byte-path.ts';
import type { TreeEntry, TreeStore } from '../store/port.ts';
import { MAX_COMPARED_BYTES } from './conflict.ts';

/** Files in which marks of a conflict stand that the base did not have: a text about marks may well be full of them. */
export async function unresolvedMarkers(
  store: TreeStore,
  { tree, base }: { readonly tree: TreeId; readonly base: TreeId },
  paths: readonly BytePath[],
): Promise<readonly UnresolvedMarker[]> {
  const [entries, before] = [await store.entries(tree), await store.entries(base)];
  const found: UnresolvedMarker[] = [];
  for (const path of paths) {
    const marks = await marksIn(store, entries.get(path));
    const known = marks.length === 0 ? [] : await marksIn(store, before.get(path));
    const fresh = beyond(marks, known);
    if (fresh !== null) found.push({ path, line: fresh.line });
  }
  return found;
}

export interface UnresolvedMarker {
  readonly path: BytePath;
  readonly line: number;
}

interface Mark {
  readonly text: string;
  readonly line: number;
}

/** Opening marks that have a closing one further down: a row of `=` alone may be a heading. */
async function marksIn(store: TreeStore, entry: TreeEntry | undefined): Promise<readonly Mark[]> {
  // Marks are put into nothing that is larger than all sides of a merge together.
  if (entry?.kind !== 'file' || (await store.sizeOf(entry.blob)) > 4 * MAX_COMPARED_BYTES) return [];
  const lines = (await store.read(entry.blob)).toString('latin1').split('\n');
  const lastEnd = lines.findLastIndex((line) => /^>{7}(?: |\r?$)/.test(line));
  const numbered = lines.slice(0, lastEnd + 1).map((text, index) => ({ text: text.trimEnd(), line: index + 1 }));
  return numbered.filter(({ text }) => /^<{7}(?: |$)/.test(text));
}

/** The first mark that is there more often than it was known. */
function beyond(marks: readonly Mark[], known: readonly Mark[]): Mark | null {
  const left = known.map(({ text }) => text);
  for (const mark of marks) {
    const index = left.indexOf(mark.text);
    if (index === -1) return mark;
    left.splice(index, 1);
  }
  return null;
}

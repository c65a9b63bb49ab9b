import type { TreeId } from '../../core/ids.ts';
import type { BytePath } from '../byte-path.ts';
import type { TreeEntry, TreeStore } from '../store/port.ts';
import type { Conflict } from './conflict.ts';
import { isSameEntry } from '../store/same-entry.ts';
import type { Rename } from './follow-renames.ts';
import { mergeTrees } from './merge-trees.ts';
import { presentEntry } from './present-entry.ts';
import { takeSide } from './take-side.ts';

/**
 * Finds what taking a change out of the project again would do: three-way, with what the change led to as the beginning of
 * both. Nothing is written to the project.
 */
export async function planUndo(store: TreeStore, options: UndoOptions): Promise<UndoPlan> {
  const { before, after } = options;
  const present = await withUnlisted(store, options);
  const labels = { base: 'with the change', ours: 'your files', theirs: 'before the change' };
  const merged = await mergeTrees(store, { base: after, ours: present, theirs: before, labels });
  if (merged.kind === 'clean') return { present, tree: merged.tree, conflicts: [] };
  const listed = await store.entries(present);
  const kept = merged.conflicts.map((conflict) => {
    const renamed = merged.renames.find(({ from, to }) => to === conflict.path && listed.has(from));
    return { conflict, mergedAs: conflict.path, path: keptPath(conflict, renamed) };
  });
  const moved = kept.filter(({ mergedAs, path }) => mergedAs !== path);
  const taken = [
    ...moved.map(({ conflict, mergedAs }) => ({ path: mergedAs, kind: conflict.kind, side: null, from: present })),
    ...kept.map(({ conflict, path }) => ({ path, kind: conflict.kind, side: conflict.ours, from: present })),
  ];
  const conflicts = kept.map(({ conflict, path }) => ({ ...conflict, path }));
  return { present, tree: await takeSide(store, merged.tree, taken), conflicts };
}

export interface UndoOptions {
  readonly before: TreeId;
  readonly after: TreeId;
  /** The project as it was recorded just now. */
  readonly present: TreeId;
  readonly project: string;
}

export interface UndoPlan {
  /** The project as it is, as far as the change is about it. */
  readonly present: TreeId;
  /** As it would be. */
  readonly tree: TreeId;
  /** Kept as they are. */
  readonly conflicts: readonly Conflict[];
}

/** A file to which its old name cannot be given back with its old lines stays where the user has it; its mode is no reason to. */
function keptPath({ path, kind }: Conflict, renamed: Rename | undefined): BytePath {
  return renamed === undefined || kind === 'mode' ? path : renamed.from;
}

/** The change itself may have made the project ignore a file; it is there all the same, just as the change left it. */
async function withUnlisted(store: TreeStore, { before, after, present, project }: UndoOptions): Promise<TreeId> {
  const listed = await store.entries(present);
  const changed = (await store.compare(after, before)).filter((one) => one.before !== null && !listed.has(one.path));
  const found = new Map<BytePath, TreeEntry>();
  for (const { path, before: left } of changed) {
    const entry = await presentEntry(project, path);
    if (entry !== null && isSameEntry(entry, left)) found.set(path, entry);
  }
  return found.size === 0 ? present : store.write(new Map([...listed, ...found]));
}

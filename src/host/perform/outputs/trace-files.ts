import type { FilesChanged, WorkspaceMade } from '../../../core/record/files-fact.ts';
import type { RunId, TreeId } from '../../../core/model/ids.ts';
import type { JsonObject } from '../../../core/model/json.ts';
import type { BytePath } from '../../../workspace/byte-path.ts';
import type { TreeEntry, TreeStore } from '../../../workspace/store/port.ts';
import { recordsOf, type JournalTreeRecord } from './journal-tree.ts';

/** A workspace changed from one tree to another, and who did it. */
export interface NamedChange {
  readonly run: RunId;
  readonly before: TreeId;
  readonly fact: Pick<FilesChanged, 'workspace' | 'tree' | 'why' | 'task' | 'toolCall' | 'from'>;
}

/** The current files of a workspace: differences from the journal are changes from outside. */
export interface HeldTree {
  readonly run: RunId;
  readonly workspace: string;
  readonly tree: TreeId;
}

/** All changes that the records name, oldest first; a change just found in a workspace is the last. */
export function namedChanges(records: readonly JournalTreeRecord[], held: HeldTree): readonly NamedChange[] {
  const named = [...recordsOf(records, 'workspace.made'), ...recordsOf(records, 'files.changed')];
  const chains = Map.groupBy(named, ({ fact }) => fact.workspace);
  const changes = [...chains.values()].flatMap(changesOf).toSorted((one, other) => one.commit - other.commit);
  const before = chains.get(held.workspace)?.toSorted(byVersion).at(-1)?.fact.tree;
  if (before === undefined || before === held.tree) return changes;
  return [...changes, { run: held.run, before, fact: { ...held, why: 'outside', task: null } }];
}

type Named = JournalTreeRecord<FilesChanged | WorkspaceMade>;

/** Runs that share a workspace count its changes together, so these numbers give the order, not the clocks. */
const byVersion = (one: Named, other: Named): number => one.fact.version - other.fact.version;

function changesOf(chain: readonly Named[]): readonly (NamedChange & { readonly commit: number })[] {
  const changes: (NamedChange & { readonly commit: number })[] = [];
  let before: TreeId | null = null;
  let latest = 0;
  for (const { run, commit, fact } of chain.toSorted(byVersion)) {
    latest = Math.max(latest, commit);
    if (fact.kind === 'files.changed' && before !== null) changes.push({ run, before, fact, commit: latest });
    before = fact.tree;
  }
  return changes;
}

/**
 * Who last changed each of these paths: the newest change, in any workspace of the run, that led to the current content.
 * Merges and rollbacks only move content made elsewhere: they count if no other change is found.
 */
export async function traceFiles(
  store: TreeStore,
  changes: readonly NamedChange[],
  sought: ReadonlyMap<BytePath, TreeEntry | null>,
): Promise<ReadonlyMap<BytePath, NamedChange>> {
  const open = new Map(sought);
  const found = new Map<BytePath, NamedChange>();
  for (const change of changes.toReversed()) {
    if (open.size === 0) break;
    if (change.before === change.fact.tree) continue;
    for (const { path, after } of await store.compare(change.before, change.fact.tree)) {
      const now = open.get(path);
      if (now === undefined || !isSame(now, after)) continue;
      if (isOwn(change)) open.delete(path);
      if (isOwn(change) || !found.has(path)) found.set(path, change);
    }
  }
  return found;
}

const isOwn = ({ fact }: NamedChange): boolean => fact.why === 'work' || fact.why === 'outside';

function isSame(one: TreeEntry | null, other: TreeEntry | null): boolean {
  return one?.kind === other?.kind && blobOf(one) === blobOf(other);
}

const blobOf = (entry: TreeEntry | null): string | null => (entry !== null && 'blob' in entry ? entry.blob : null);

/** For an artifact's metadata: the run, the task and the call in which it was made. */
export function madeIn({ run, fact }: NamedChange): JsonObject {
  return {
    run,
    how: fact.why,
    ...(fact.task === null ? {} : { task: fact.task }),
    ...(fact.toolCall === undefined ? {} : { toolCall: fact.toolCall }),
    ...(fact.from === undefined ? {} : { from: fact.from }),
  };
}

import type { Fact } from '../../../core/record/fact.ts';
import type { FilesChanged } from '../../../core/record/files-fact.ts';
import type { TreeId } from '../../../core/model/ids.ts';
import type { WorkspaceFiles } from '../../../core/fold/snapshot.ts';

/** All that the journals of a tree of runs say about its workspaces. */
export interface KnownFiles {
  /** The newest files of each. */
  readonly files: Map<string, WorkspaceFiles>;
  readonly log: MergeLog;
  /** The newest commit of the tree that it accounts for. */
  commit: number;
}

/** One merge into a workspace. */
export interface LoggedMerge {
  readonly version: number;
  readonly from: string;
  readonly author: string;
  readonly passed: readonly string[];
}

/**
 * The merges into each workspace, from the records of all runs of a tree: a merge has to know what was merged since its
 * author began, and which commands must still pass. An index of records, never stored.
 */
export class MergeLog {
  readonly #merges = new Map<string, LoggedMerge[]>();
  /** By workspace: when it last held a tree. */
  readonly #held = new Map<string, Map<TreeId, number>>();

  add(fact: Fact): void {
    if (fact.kind === 'workspace.made') this.#hold(fact.workspace, fact.tree, fact.version);
    if (fact.kind !== 'files.changed') return;
    const { workspace, tree, version } = fact;
    this.#hold(workspace, tree, version);
    const merge = mergeOf(fact);
    if (merge === null) return;
    const merges = this.#merges.get(workspace);
    if (merges === undefined) this.#merges.set(workspace, [merge]);
    else if (merges.every((one) => one.version !== version)) merges.push(merge);
  }

  /** What others merged into a workspace since a source was created from it, or was last merged itself. */
  since(target: string, source: string, base: TreeId): readonly LoggedMerge[] {
    const merges = this.#merges.get(target) ?? [];
    const own = merges.findLast(({ from }) => from === source)?.version ?? 0;
    const began = Math.max(own, this.#held.get(target)?.get(base) ?? 0);
    return merges.filter(({ version }) => version > began);
  }

  /** Takes over what another log says about a workspace. */
  replace(workspace: string, by: MergeLog): void {
    replaceEntry(this.#merges, workspace, by.#merges);
    replaceEntry(this.#held, workspace, by.#held);
  }

  #hold(workspace: string, tree: TreeId, version: number): void {
    const held = this.#held.get(workspace) ?? new Map<TreeId, number>();
    held.set(tree, Math.max(version, held.get(tree) ?? 0));
    this.#held.set(workspace, held);
  }
}

/** Only merges into a target name an author; a source's own record of the merge does not. */
function mergeOf({ why, from, version, author, passed = [] }: FilesChanged): LoggedMerge | null {
  return why === 'merge' && from !== undefined && author !== undefined ? { version, from, author, passed } : null;
}

export function replaceEntry<Value>(entries: Map<string, Value>, key: string, by: ReadonlyMap<string, Value>): void {
  const value = by.get(key);
  if (value === undefined) entries.delete(key);
  else entries.set(key, value);
}

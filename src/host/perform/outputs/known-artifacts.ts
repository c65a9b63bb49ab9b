import type { Artifact } from '../../../core/record/artifact-fact.ts';
import type { TreeId } from '../../../core/model/ids.ts';
import { treeId } from '../../../core/model/ids.ts';
import { recordsOf, type JournalTreeRecord } from './journal-tree.ts';

/** Every version of every artifact that a tree of runs recorded. */
export class KnownArtifacts {
  readonly #versions = new Map<string, Artifact[]>();
  readonly #byId = new Map<string, Artifact>();
  readonly #wasRewound: boolean;

  constructor(records: readonly JournalTreeRecord[]) {
    this.#wasRewound = recordsOf(records, 'run.rewound').length > 0;
    for (const { fact } of recordsOf(records, 'artifact.recorded')) {
      const { artifact } = fact;
      this.#byId.set(artifact.id, artifact);
      const versions = this.#versions.get(artifact.path) ?? [];
      versions.push(artifact);
      this.#versions.set(artifact.path, versions);
    }
  }

  byId(id: string): Artifact | undefined {
    return this.#byId.get(id);
  }

  newest(path: string): Artifact | undefined {
    return this.#versions.get(path)?.at(-1);
  }

  /**
   * The versions of a path that a dependent phase may find: in one workspace only the newest. If several agents changed it
   * in parallel, or the run was rolled back, the newest recorded version need not be here, so any since is accepted.
   */
  accepted({ id, path, hash }: Pick<Artifact, 'id' | 'path' | 'hash'>): ReadonlySet<string> {
    const all = this.#versions.get(path) ?? [];
    const first = all.findIndex((version) => version.id === id);
    if (first === -1) return new Set([hash, ...all.map((version) => version.hash)]);
    const since = all.slice(first);
    const workspaces = new Set(since.map(({ metadata }) => metadata['workspace'] ?? ''));
    const isOneLine = workspaces.size === 1 && !this.#wasRewound;
    return new Set((isOneLine ? since.slice(-1) : since).map((version) => version.hash));
  }
}

/** The tree that still holds the artifact's content; null if none does. */
export function keptIn({ metadata }: Artifact): TreeId | null {
  const tree = metadata['tree'];
  return typeof tree === 'string' ? treeId(tree) : null;
}

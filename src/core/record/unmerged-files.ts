import type { TreeId } from '../model/ids.ts';

/** In a record: the files of a workspace that a later merge brings into another one, and what changed in that list. */
export interface UnmergedFiles {
  /** The workspace that they will be merged into. */
  readonly into: string;
  /** Paths that this record changed, and that differ from the base now. */
  readonly changed?: readonly string[];
  /** Paths that are as in the base again. */
  readonly restored?: readonly string[];
}

/** The sum of these records, as far as one run wrote them: several runs can share a workspace. */
export interface UnmergedState {
  readonly into: string;
  readonly paths: Readonly<Record<string, UnmergedPath>>;
  /** The agents whose turns changed them. */
  readonly agents: readonly string[];
}

export interface UnmergedPath {
  /** Of the workspace: the newest record of a path counts, whichever run wrote it. */
  readonly version: number;
  readonly isChanged: boolean;
}

interface Recorded {
  readonly tree: TreeId;
  readonly base: TreeId;
  readonly version: number;
  readonly why: string;
  readonly unmerged?: UnmergedFiles;
}

interface Known {
  readonly tree: TreeId;
  readonly base: TreeId;
  readonly unmerged?: UnmergedState;
}

/**
 * A record that lists nothing says that nothing is left to merge, unless it is about the same files. Another base, or older files put
 * back, begin a new list.
 */
export function unmergedAfter(
  before: Known | undefined,
  { unmerged, tree, base, version, why }: Recorded,
  agent: string | null,
): UnmergedState | undefined {
  const known = before?.base === base ? before : undefined;
  if (unmerged === undefined) return known?.tree === tree ? known.unmerged : undefined;
  const { paths, agents } = why === 'rollback' ? NO_FILES : (known?.unmerged ?? NO_FILES);
  const authors = new Set(agent === null ? agents : [...agents, agent]);
  return { into: unmerged.into, paths: { ...paths, ...pathsIn(unmerged, version) }, agents: [...authors] };
}

const NO_FILES: Pick<UnmergedState, 'paths' | 'agents'> = { paths: {}, agents: [] };

const pathsIn = ({ changed = [], restored = [] }: UnmergedFiles, version: number): UnmergedState['paths'] =>
  Object.fromEntries([
    ...changed.map((path) => [path, { version, isChanged: true }] as const),
    ...restored.map((path) => [path, { version, isChanged: false }] as const),
  ]);

/** The whole sum as one record: for another run that takes over what this one knows of a workspace. */
export function unmergedRecord({ unmerged }: Pick<Known, 'unmerged'>): Pick<Recorded, 'unmerged'> {
  if (unmerged === undefined) return {};
  const paths = Object.entries(unmerged.paths);
  const changed = paths.flatMap(([path, { isChanged }]) => (isChanged ? [path] : []));
  const restored = paths.flatMap(([path, { isChanged }]) => (isChanged ? [] : [path]));
  return { unmerged: unmergedList(unmerged.into, changed, restored) };
}

export const unmergedList = (into: string, changed: readonly string[], restored: readonly string[]): UnmergedFiles => ({
  into,
  ...(changed.length === 0 ? {} : { changed }),
  ...(restored.length === 0 ? {} : { restored }),
});

import type { TreeId } from '../model/ids.ts';

/** In a record: the files of a workspace that a later merge brings into another one, and what changed in that list. */
export interface UnmergedFiles {
  /** The workspace that they will be merged into. */
  readonly into: string;
  /** Paths that this record changed, and that differ from the base now. */
  readonly changed?: readonly string[];
  /** Paths that are as in the base again. */
  readonly restored?: readonly string[];
  /** Paths that others have changed too, whose work goes to the same workspace: the agent is notified once for each. */
  readonly overlaps?: readonly string[];
}

/** The sum of these records, as far as one run wrote them: several runs can share a workspace. */
export interface UnmergedState {
  readonly into: string;
  readonly paths: Readonly<Record<string, UnmergedPath>>;
  /** The agents whose turns changed them. */
  readonly agents: readonly string[];
  /** The paths whose overlap was reported to its agents. */
  readonly told?: readonly string[];
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
 * A record without a list means that nothing is left to merge, unless it is about the same files. A new base, or restored
 * older files, starts a new list.
 */
export function unmergedAfter(
  before: Known | undefined,
  { unmerged, tree, base, version, why }: Recorded,
  agent: string | null,
): UnmergedState | undefined {
  const known = before?.base === base ? before : undefined;
  if (unmerged === undefined) return known?.tree === tree ? known.unmerged : undefined;
  const { paths, agents, told } = why === 'rollback' ? NO_FILES : (known?.unmerged ?? NO_FILES);
  const authors = new Set(agent === null ? agents : [...agents, agent]);
  const list = { into: unmerged.into, paths: { ...paths, ...pathsIn(unmerged, version) }, agents: [...authors] };
  return { ...list, ...reportedAfter(told, unmerged.overlaps) };
}

function reportedAfter(before: readonly string[] = [], overlaps: readonly string[] = []): Pick<UnmergedState, 'told'> {
  return before.length + overlaps.length === 0 ? {} : { told: [...before, ...overlaps] };
}

const NO_FILES: Omit<UnmergedState, 'into'> = { paths: {}, agents: [] };

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

/** Paths of a changing workspace that other work for the same target has changed too, without those reported before. */
export function newOverlaps(
  known: ReadonlyMap<string, { readonly unmerged?: UnmergedState; readonly isGone?: true }>,
  {
    name,
    own,
    unmerged,
  }: { readonly name: string; readonly own: UnmergedState | undefined; readonly unmerged: UnmergedFiles },
): readonly string[] {
  const others = [...known].flatMap(([other, { unmerged: theirs, isGone }]) =>
    other === name || isGone === true || theirs?.into !== unmerged.into ? [] : changedPaths(theirs.paths),
  );
  const foreign = new Set(others);
  const paths = changedPaths({ ...own?.paths, ...pathsIn(unmerged, 0) });
  return paths.filter((path) => foreign.has(path) && own?.told?.includes(path) !== true);
}

const changedPaths = (paths: UnmergedState['paths']): readonly string[] =>
  Object.entries(paths).flatMap(([path, { isChanged }]) => (isChanged ? [path] : []));

/** The message to the agent about them. */
export function overlapRemark(paths: readonly string[]): string {
  const named = paths.slice(0, MOST_NAMED).join(', ');
  const more = paths.length > MOST_NAMED ? ` and ${paths.length - MOST_NAMED} more` : '';
  return `Other agents have changed files that you changed as well, and all of this work will be merged: ${named}${more}. Change there only what your task needs, so that both fit together.`;
}

const MOST_NAMED = 20;

import { unitOf as poolUnit } from '../fold/units.ts';
import type { RunId } from '../model/ids.ts';
import type { Snapshot, Unit, WorkspaceFiles } from '../fold/snapshot.ts';

/** A file that several workspaces changed, all to be merged into the same one. */
export interface Overlap {
  readonly file: string;
  readonly by: readonly OverlapAuthor[];
}

export interface OverlapAuthor {
  /** The run whose workspace it is. */
  readonly run: RunId;
  readonly workspace: string;
  /** The unit of a pool that the run does. */
  readonly unit: Pick<Unit, 'id' | 'item'> | null;
  /** The agents that changed files there; none where only commands or people did. */
  readonly agents: readonly string[];
}

/**
 * The files that several running runs (`liveRuns`) have changed. Only work that waits for its merge counts: merged files are
 * in no list any more, and workspaces of which only the chosen one is merged never have a list.
 */
export function overlapsOf(live: readonly Snapshot[]): readonly Overlap[] {
  const names = new Set(live.flatMap(({ workspaces }) => Object.keys(workspaces).toSorted()));
  const changes = [...names].flatMap((name) => changesOf(live, name));
  const files = Map.groupBy(changes, ({ file, into }) => `${into}\n${file}`);
  return [...files.values()]
    .flatMap((all) => (all[0] === undefined || all.length < 2 ? [] : [{ file: all[0].file, by: all.map(byOf) }]))
    .toSorted((one, other) => (one.file < other.file ? -1 : 1));
}

interface FileChange {
  readonly file: string;
  readonly into: string;
  readonly by: OverlapAuthor;
}

const byOf = ({ by }: FileChange): OverlapAuthor => by;

/** One run's knowledge of a workspace. */
interface Part {
  readonly of: Snapshot;
  readonly files: WorkspaceFiles;
}

function changesOf(live: readonly Snapshot[], workspace: string): readonly FileChange[] {
  const parts = live.flatMap((of): readonly Part[] => {
    const files = of.workspaces[workspace];
    return files === undefined ? [] : [{ of, files }];
  });
  const newest = parts.toSorted((one, other) => one.files.version - other.files.version).at(-1);
  if (newest?.files.unmerged === undefined || newest.files.isGone === true) return [];
  const { base, unmerged } = newest.files;
  const same = parts.filter(({ files }) => files.base === base);
  const owner = live.find((one) => one.workspace === workspace) ?? same[0]?.of ?? newest.of;
  const agents = [...new Set(same.flatMap(({ files }) => files.unmerged?.agents ?? []))];
  const by = { run: owner.run, workspace, unit: unitOf(live, owner), agents };
  return changedIn(same).map((file) => ({ file, into: unmerged.into, by }));
}

function changedIn(parts: readonly Part[]): readonly string[] {
  const all = parts.flatMap(({ files }) => Object.entries(files.unmerged?.paths ?? {}));
  const newest = new Map(all.toSorted(([, one], [, other]) => one.version - other.version));
  return [...newest].flatMap(([path, { isChanged }]) => (isChanged ? [path] : []));
}

function unitOf(live: readonly Snapshot[], { run, parent }: Snapshot): OverlapAuthor['unit'] {
  const tasks = live.find((one) => one.run === parent)?.tasks;
  const task = tasks?.[run.slice(run.lastIndexOf('/') + 1)];
  const units = task?.pool == null ? null : tasks?.[task.pool]?.units;
  return poolUnit(units, task?.unit ?? '') ?? null;
}

import { filesIn } from '../../../core/fold/apply-files.ts';
import type { Fact, JournalRecord } from '../../../core/record/fact.ts';
import { foldRecords } from '../../../core/fold/fold.ts';
import { foldOnce } from '../../fold-once.ts';
import type { RunId } from '../../../core/model/ids.ts';
import type { Snapshot, WorkspaceFiles } from '../../../core/fold/snapshot.ts';
import type { TreeRecord } from '../../../journal/port.ts';
import type { PlaceWorld, RunBeginning } from './place-user.ts';
import { MergeLog, replaceEntry, type KnownFiles } from './merge-log.ts';

/** A record of one run, with its commit number, which cuts the journals of the other runs of the tree. */
export interface TreeMoment {
  readonly run: RunId;
  readonly seq: number;
  readonly commit: number;
}

interface OneRun {
  readonly snapshot: Snapshot;
  readonly records: readonly JournalRecord[];
}

/** A run and all below it, now or at a moment. */
export async function runTreeOf({ journal }: PlaceWorld, root: RunId, until?: TreeMoment): Promise<readonly OneRun[]> {
  const isInTime = ({ run, seq, commit }: TreeRecord): boolean =>
    until === undefined || (run === until.run ? seq <= until.seq : commit <= until.commit);
  const runs = Map.groupBy((await journal.tree(root)).filter(isInTime), ({ run }) => run);
  return [...runs.values()].map((records) => ({ snapshot: foldOnce(records), records }));
}

/** The newest trees that the journals of a run and of all below it name, by workspace. */
export async function newestOf(
  world: PlaceWorld,
  root: RunId,
  until?: TreeMoment,
): Promise<Map<string, WorkspaceFiles>> {
  return newestIn(await runTreeOf(world, root, until));
}

function newestIn(runs: readonly OneRun[]): Map<string, WorkspaceFiles> {
  const newest = new Map<string, WorkspaceFiles>();
  for (const { snapshot } of runs) {
    for (const [name, files] of Object.entries(snapshot.workspaces)) {
      if (files.version > (newest.get(name)?.version ?? 0)) newest.set(name, files);
    }
  }
  return newest;
}

async function knownFiles({ journal }: PlaceWorld, root: RunId): Promise<KnownFiles> {
  const known: KnownFiles = { files: new Map(), log: new MergeLog(), commit: 0 };
  learnRecords(known, await journal.tree(root));
  return known;
}

/** Changes by this process are already known: only newer versions of a workspace count. Returns their names. */
export function learnRecords(known: KnownFiles, records: readonly TreeRecord[]): ReadonlySet<string> {
  const changed = new Set<string>();
  for (const { fact, commit } of records) {
    known.commit = Math.max(known.commit, commit);
    known.log.add(fact);
    const named = namedFiles(known.files, fact);
    if (named === null || named.files.version <= (known.files.get(named.workspace)?.version ?? 0)) continue;
    known.files.set(named.workspace, named.files);
    changed.add(named.workspace);
  }
  return changed;
}

/** What is known about workspaces, by the root of each tree of runs. */
export class KnownTrees {
  readonly #world: PlaceWorld;
  readonly #known = new Map<RunId, Promise<KnownFiles>>();
  /** Workspaces with knowledge that no journal will ever hold. */
  readonly #dropped = new Map<RunId, ReadonlySet<string>>();

  constructor(world: PlaceWorld) {
    this.#world = world;
  }

  has(root: RunId): boolean {
    return this.#known.has(root);
  }

  of(root: RunId): Promise<KnownFiles> {
    const found = this.#known.get(root);
    const dropped = this.#dropped.get(root);
    if (found !== undefined && dropped !== undefined) return this.#again(root, found, dropped);
    if (found !== undefined) return found;
    const loading = knownFiles(this.#world, root);
    this.#known.set(root, loading);
    loading.catch(() => this.#known.delete(root));
    return loading;
  }

  /** Forgets these workspaces, because the journals differ from what is known here. */
  drop(root: RunId, names: readonly string[]): void {
    if (names.length > 0) this.#dropped.set(root, new Set([...(this.#dropped.get(root) ?? []), ...names]));
  }

  forget(root: RunId): void {
    this.#known.delete(root);
    this.#dropped.delete(root);
  }

  #again(root: RunId, found: Promise<KnownFiles>, dropped: ReadonlySet<string>): Promise<KnownFiles> {
    this.#dropped.delete(root);
    const again = found.then((known) => this.#asRecorded(root, known, dropped));
    this.#known.set(root, again);
    again.catch(() => {
      if (this.#known.get(root) !== again) return;
      this.#known.set(root, found);
      this.drop(root, [...dropped]);
    });
    return again;
  }

  async #asRecorded(root: RunId, known: KnownFiles, names: ReadonlySet<string>): Promise<KnownFiles> {
    const recorded = await knownFiles(this.#world, root);
    for (const name of names) {
      replaceEntry(known.files, name, recorded.files);
      known.log.replace(name, recorded.log);
    }
    return known;
  }
}

interface NamedFiles {
  readonly workspace: string;
  readonly files: WorkspaceFiles;
}

function namedFiles(known: KnownFiles['files'], fact: Fact): NamedFiles | null {
  if (fact.kind === 'workspace.gone') {
    const { workspace, version } = fact;
    const before = known.get(workspace);
    return before === undefined ? null : { workspace, files: { ...before, version, isGone: true } };
  }
  if (fact.kind !== 'workspace.made' && fact.kind !== 'files.changed') return null;
  return { workspace: fact.workspace, files: filesIn(fact, known.get(fact.workspace)) };
}

export async function runBeginning({ journal }: PlaceWorld, run: RunId): Promise<RunBeginning> {
  const { files, workspace, parent, workflow, definition } = foldRecords(await journal.read(run));
  return { run, files, workspace, parent, workflow, definition };
}

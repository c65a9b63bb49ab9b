import type { JournalRecord } from '../../core/fact.ts';
import { foldRecords } from '../../core/fold.ts';
import type { RunId } from '../../core/ids.ts';
import type { Snapshot, WorkspaceFiles } from '../../core/snapshot.ts';
import type { World } from '../port.ts';
import { MergeLog, type KnownFiles } from './merge-log.ts';

export const LATEST: Moment = { seq: Infinity, at: Infinity };

/** A record of the root, and the time it was written: the journals of child runs are cut by that. */
interface Moment {
  readonly seq: number;
  readonly at: number;
}

interface OneRun {
  readonly snapshot: Snapshot;
  readonly records: readonly JournalRecord[];
}

/** A run and all below it, as they stood at a moment. */
export async function runTreeOf(world: World, root: RunId, until: Moment): Promise<readonly OneRun[]> {
  const found: OneRun[] = [];
  const runs = [root];
  for (let run = runs.shift(); run !== undefined; run = runs.shift()) {
    const all = await world.journal.read(run);
    const records = run === root ? all.slice(0, until.seq) : all.filter(({ at }) => at <= until.at);
    if (records.length === 0) continue;
    found.push({ snapshot: foldRecords(records), records });
    runs.push(...(await world.journal.runs({ parent: run })).map((info) => info.run));
  }
  return found;
}

/** The newest trees that the journals of a run and of all below it name, by workspace. */
export async function newestOf(
  world: World,
  root: RunId,
  until: Moment = LATEST,
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

export async function knownFiles(world: World, root: RunId): Promise<KnownFiles> {
  const runs = await runTreeOf(world, root, LATEST);
  const log = new MergeLog();
  for (const { records } of runs) for (const { fact } of records) log.add(fact);
  return { files: newestIn(runs), log };
}

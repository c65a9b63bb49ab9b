import { foldRecords } from '../../core/fold.ts';
import type { RunId } from '../../core/ids.ts';
import type { WorkspaceFiles } from '../../core/snapshot.ts';
import type { World } from '../port.ts';
import type { Performance } from './performance.ts';
import { newestOf, rootOf } from './places.ts';

/** A fork has no journals of child runs that were over by then: what they left is known from the run that it comes from. */
export async function rememberFiles({ places, run, world }: Performance, name: string): Promise<void> {
  const root = rootOf(run);
  const known = await places.known(root);
  const files = known.get(name) ?? (await filesBeforeFork(world, root, name));
  if (files !== undefined && !known.has(name)) known.set(name, files);
}

async function filesBeforeFork(world: World, root: RunId, name: string): Promise<WorkspaceFiles | undefined> {
  const { forkedFrom } = foldRecords(await world.journal.read(root));
  if (forkedFrom === null || (await world.journal.run(forkedFrom.run)) === undefined) return undefined;
  const { run, seq } = forkedFrom;
  const at = (await world.journal.read(run))[seq - 1]?.at ?? 0;
  return (await newestOf(world, run, { seq, at })).get(name) ?? (await filesBeforeFork(world, run, name));
}

import { Fault } from '../../core/model/fault.ts';
import type { RunId, TreeId } from '../../core/model/ids.ts';
import type { TreeStore } from '../../workspace/store/port.ts';

/** Refuses trees that were pruned, before any work is done with them. */
export async function requireTrees(store: TreeStore, run: RunId, trees: Iterable<TreeId>): Promise<void> {
  for (const tree of new Set(trees)) {
    if (await store.has(tree)) continue;
    throw new Fault('FILES_PRUNED', `The files of run ${run} are no longer stored.`, {
      hint: 'They were removed by `troupe prune`, or the project was moved. The journal of the run is still there: troupe logs.',
      facts: { run, tree },
    });
  }
}

import type { Fact } from '../../core/fact.ts';
import type { RunId, TreeId } from '../../core/ids.ts';
import type { Journal } from '../../journal/port.ts';

/** Every tree that the journals of a run and of all below it name. */
export async function namedTrees(journal: Journal, root: RunId): Promise<ReadonlySet<TreeId>> {
  const trees = new Set<TreeId>();
  const runs = [root];
  for (const run of runs) {
    for (const { fact } of await journal.read(run)) for (const tree of treesOf(fact)) trees.add(tree);
    runs.push(...(await journal.runs({ parent: run })).map((info) => info.run));
  }
  return trees;
}

function treesOf(fact: Fact): readonly TreeId[] {
  switch (fact.kind) {
    case 'run.started':
      return fact.files === undefined ? [] : [fact.files.tree];
    case 'workspace.made':
      return [fact.tree];
    case 'files.changed':
      return [fact.tree, fact.base, ...(fact.open === undefined ? [] : [fact.open.base, fact.open.since])];
    case 'project.changed':
      return [fact.before, fact.after, ...(fact.tree === undefined ? [] : [fact.tree])];
    default:
      return [];
  }
}

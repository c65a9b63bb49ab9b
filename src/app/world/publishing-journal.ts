import type { Fact } from '../../core/fact.ts';
import type { TreeId } from '../../core/ids.ts';
import type { Batch, Journal } from '../../journal/port.ts';

/** A journal in which no record names files before other machines can have them. */
export function publishingJournal(journal: Journal, publish: (tree: TreeId) => Promise<unknown>): Journal {
  const published = new Set<TreeId>();
  const publishAll = async (batch: Batch): Promise<void> => {
    for (const tree of new Set(batch.records.flatMap(({ fact }) => treesIn(fact)))) {
      if (published.has(tree)) continue;
      await publish(tree);
      published.add(tree);
    }
  };
  return {
    ...journal,
    create: async (run, owner, first) => {
      if (first !== undefined) await publishAll(first);
      return await journal.create(run, owner, first);
    },
    append: async (lease, batch) => {
      await publishAll(batch);
      await journal.append(lease, batch);
    },
  };
}

function treesIn(fact: Fact): readonly TreeId[] {
  if (fact.kind === 'workspace.made') return [fact.tree];
  if (fact.kind !== 'files.changed') return [];
  return fact.before === undefined ? [fact.tree] : [fact.before, fact.tree];
}

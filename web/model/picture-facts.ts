import type { Fact, JournalRecord } from '../../src/core/fact.ts';
import { incrementalFold, type Folding } from './incremental-fold.ts';
import type { RunTree } from './run-tree.ts';

/** Counts the records after which a run may have to be drawn anew: new units, new runs below, another definition. */
export function pictureChanges(tree: RunTree): number {
  let sum = 0;
  for (const run of tree.runs.values()) sum += changesOf(run);
  return sum;
}

const changesOf = incrementalFold<number>(() => new ChangeFold());

class ChangeFold implements Folding<number> {
  view = 0;

  take({ fact }: JournalRecord): void {
    if (changesPicture(fact)) this.view += 1;
  }
}

function changesPicture(fact: Fact): boolean {
  switch (fact.kind) {
    case 'task.started':
      return fact.work.kind === 'call' || fact.work.kind === 'pool';
    case 'units.added':
      return fact.units.length > 0;
    default:
      return fact.kind === 'run.redefined' || fact.kind === 'run.rewound' || fact.kind === 'run.forked';
  }
}

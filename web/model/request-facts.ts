import type { JournalRecord } from '../../src/core/fact.ts';
import { incrementalFold, type Folding } from './incremental-fold.ts';
import type { RunTree } from './run-tree.ts';

/** Counts the records that make, change or answer a request of an agent, in all runs of the tree. */
export function requestChanges(tree: RunTree): number {
  let sum = 0;
  for (const run of tree.runs.values()) sum += changesOf(run);
  return sum;
}

const changesOf = incrementalFold<number>(() => new RequestFold());

class RequestFold implements Folding<number> {
  view = 0;

  take({ fact }: JournalRecord): void {
    if (CHANGING.has(fact.kind) || (fact.kind === 'task.started' && fact.work.kind === 'turn')) this.view += 1;
  }
}

const CHANGING: ReadonlySet<JournalRecord['fact']['kind']> = new Set([
  'call.started',
  'call.retried',
  'call.answered',
  'call.failed',
  'compaction.started',
  'results.cleared',
  'session.noted',
]);

import type { JournalRecord } from '../../../core/record/fact.ts';
import type { Outcome } from '../../../core/model/outcome.ts';
import { countingRecords } from '../../../protocol/history/lineage.ts';

export interface ReviewMerge {
  readonly agent: string;
  /** Null while it goes on. */
  readonly outcome: Outcome | null;
}

/** Merges of implementations, in order. Only what still counts: a run that was put back never went further. */
export function reviewMerges(records: readonly JournalRecord[]): readonly ReviewMerge[] {
  const merges = new Map<string, ReviewMerge>();
  for (const { fact } of countingRecords(records)) {
    if (fact.kind === 'task.started' && fact.work.kind === 'merge' && fact.work.agent !== null) {
      merges.set(fact.task, { agent: fact.work.agent, outcome: null });
    } else if (fact.kind === 'task.ended') {
      const merge = merges.get(fact.task);
      if (merge !== undefined) merges.set(fact.task, { ...merge, outcome: fact.outcome });
    }
  }
  return [...merges.values()];
}

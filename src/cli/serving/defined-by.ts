import type { Fact, JournalRecord } from '../../core/fact.ts';
import { applyRecord, foldRecords } from '../../core/fold.ts';
import type { Snapshot } from '../../core/snapshot.ts';

/** A run as far as its definition is concerned. Most keep the one they began with: then the first record is enough. */
export function definedBy(records: readonly JournalRecord[]): Pick<Snapshot, 'definition' | 'workflow'> {
  const [first] = records;
  if (first === undefined || records.some(({ fact }) => OTHER.has(fact.kind))) return foldRecords(records);
  return applyRecord(null, first);
}

/** After these it may be another one. */
const OTHER: ReadonlySet<Fact['kind']> = new Set(['run.redefined', 'run.forked', 'run.rewound']);

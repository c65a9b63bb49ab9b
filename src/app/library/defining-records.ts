import type { Fact, JournalRecord } from '../../core/record/fact.ts';
import type { RunId } from '../../core/model/ids.ts';
import type { Journal } from '../../journal/port.ts';
import { readPieces } from '../views/read-pieces.ts';
import { applyRecord, foldRecords } from '../../core/fold/fold.ts';
import type { Snapshot } from '../../core/fold/snapshot.ts';

/**
 * The records that set a run's definition; for most runs only the first. A long journal is read in pieces, so that other
 * requests need not wait.
 */
export async function definingRecords(journal: Pick<Journal, 'read'>, run: RunId): Promise<readonly JournalRecord[]> {
  let first: readonly JournalRecord[] = [];
  for await (const records of readPieces(journal, { run, after: 0 })) {
    if (first.length === 0) first = records.slice(0, 1);
    if (records.some(({ fact }) => isRedefining(fact))) return await journal.read(run);
  }
  return first;
}

/** After it the definition may be another one. */
export const isRedefining = ({ kind }: Fact): boolean => OTHER.has(kind);

const OTHER: ReadonlySet<Fact['kind']> = new Set(['run.redefined', 'run.forked', 'run.rewound']);

/** A run as far as its definition is concerned. Most keep the one they began with: then the first record is enough. */
export function definedBy(records: readonly JournalRecord[]): Pick<Snapshot, 'definition' | 'workflow'> {
  const [first] = records;
  if (first === undefined || records.some(({ fact }) => isRedefining(fact))) return foldRecords(records);
  return applyRecord(null, first);
}

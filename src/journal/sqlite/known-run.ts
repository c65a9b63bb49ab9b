import type { RunId } from '../../core/model/ids.ts';
import { runUnknown } from '../refusal.ts';
import type { StoredRun } from './run-table.ts';
import type { Tables } from './tables.ts';

/** The run's entry; RUN_UNKNOWN only when it is certain that there is none. */
export function knownRun(tables: Tables, run: RunId): StoredRun {
  const row = findStoredRun(tables, run);
  if (row === undefined) throw runUnknown(run);
  return row;
}

export function findStoredRun(tables: Tables, run: RunId): StoredRun | undefined {
  const row = tables.runs.find(run);
  if (row === undefined) tables.runs.confirmAbsent(run);
  return row;
}

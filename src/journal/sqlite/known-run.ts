import type { RunId } from '../../core/ids.ts';
import { runUnknown } from '../refusal.ts';
import type { RunRow } from './run-table.ts';
import type { Tables } from './tables.ts';

/** The run's entry; RUN_UNKNOWN only when it is certain that there is none. */
export function knownRun(tables: Tables, run: RunId): RunRow {
  const row = findRun(tables, run);
  if (row === undefined) throw runUnknown(run);
  return row;
}

export function findRun(tables: Tables, run: RunId): RunRow | undefined {
  const row = tables.runs.find(run);
  if (row === undefined) tables.runs.confirmAbsent(run);
  return row;
}

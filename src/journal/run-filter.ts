import type { RunFilter, RunInfo } from './port.ts';

/** The limit is left to the caller, who knows when to stop looking. */
export function matchesFilter(run: Pick<RunInfo, 'parent' | 'status'>, filter: RunFilter): boolean {
  if (filter.status !== undefined && filter.status !== run.status) return false;
  return filter.parent === undefined || filter.parent === run.parent;
}

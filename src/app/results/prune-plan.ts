import { NO_RESULT, resultBranch } from '../../core/result-state.ts';
import type { RunInfo } from '../../journal/port.ts';

export interface Retention {
  readonly olderThanMs: number;
  /** So many of the newest runs of each project keep their files. */
  readonly keep: number;
}

export const DEFAULT_RETENTION: Retention = { olderThanMs: 30 * 86_400_000, keep: 20 };

/**
 * The runs whose files go: settled long enough ago, and not among the newest of their project. Never one that is open, nor one
 * whose result is only in Troupe's own files and waits for a decision: delivering, discarding or archiving it comes first.
 */
export function runsToPrune(
  runs: readonly RunInfo[],
  { olderThanMs, keep }: Retention,
  now: number,
): readonly RunInfo[] {
  const byProject = Map.groupBy(runs, ({ project }) => project);
  return [...byProject.values()].flatMap((own) => {
    const newestFirst = own.toSorted((a, b) => b.at - a.at);
    return newestFirst
      .slice(keep)
      .filter((info) => isOver(info) && !isWaiting(info) && now - info.updatedAt >= olderThanMs);
  });
}

const isOver = ({ status, driven }: RunInfo): boolean => status === 'settled' && !driven;

/** A branch holds its result without these files. */
const isWaiting = ({ result = NO_RESULT, isArchived }: RunInfo): boolean =>
  isArchived !== true && (result.state === 'waiting' || result.state === 'refused') && resultBranch(result) === null;

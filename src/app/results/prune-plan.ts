import type { RunInfo } from '../../journal/port.ts';

export interface Retention {
  readonly olderThanMs: number;
  /** So many of the newest runs of each project keep their files. */
  readonly keep: number;
}

export const DEFAULT_RETENTION: Retention = { olderThanMs: 30 * 86_400_000, keep: 20 };

/** The runs whose files go: settled long enough ago, and not among the newest of their project. Never one that is open. */
export function runsToPrune(
  runs: readonly RunInfo[],
  { olderThanMs, keep }: Retention,
  now: number,
): readonly RunInfo[] {
  const byProject = Map.groupBy(runs, ({ project }) => project);
  return [...byProject.values()].flatMap((own) => {
    const newestFirst = own.toSorted((a, b) => b.at - a.at);
    return newestFirst.slice(keep).filter((info) => isOver(info) && now - info.updatedAt >= olderThanMs);
  });
}

const isOver = ({ status, driven }: RunInfo): boolean => status === 'settled' && !driven;

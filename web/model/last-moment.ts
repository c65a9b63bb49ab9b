import type { RunTree } from './run-tree.ts';

/** When a run ended; while it has not, the time of the newest record of it and of the runs below it. */
export function lastMoment({ root, runs }: RunTree): number {
  const end = runs.get(root)?.snapshot.clock.endedAt ?? null;
  return end ?? [...runs.values()].reduce((latest, { snapshot }) => Math.max(latest, snapshot.at), 0);
}

import type { RunId } from '../model/ids.ts';
import { openChildren } from './open-children.ts';
import type { Snapshot } from './snapshot.ts';

/**
 * A run and the running runs below it. A child that was started after the record its parent was rolled back to has no end in
 * its journal, but will never continue.
 */
export function liveRuns(root: Snapshot | undefined, find: (run: RunId) => Snapshot | undefined): readonly Snapshot[] {
  if (root === undefined || root.status === 'settled') return [];
  return [root, ...openChildren(root).flatMap(({ run }) => liveRuns(find(run), find))];
}

/** The agents that have a turn in any of these runs now. */
export const agentsAtWork = (runs: readonly Snapshot[]): readonly string[] => [
  ...new Set(
    runs.flatMap(({ tasks }) => Object.values(tasks).flatMap(({ work }) => (work.kind === 'turn' ? [work.agent] : []))),
  ),
];

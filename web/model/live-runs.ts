import { liveRuns } from '../../src/protocol/history/live-runs.ts';
import type { RunNode, RunTree } from './run-tree.ts';

/** The runs of a tree that go on. */
export const liveRunsOf = ({ root, runs }: RunTree): readonly RunNode[] =>
  liveRuns(runs.get(root)?.snapshot, (run) => runs.get(run)?.snapshot).flatMap(({ run }) => runs.get(run) ?? []);

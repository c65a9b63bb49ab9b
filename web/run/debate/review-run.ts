import { ledgerIn } from '../../../src/protocol/review/review-data.ts';
import { foldCompare } from '../../../src/protocol/review/fold-compare.ts';
import type { CompareView } from '../../../src/protocol/review/compare-view.ts';
import type { DebateView } from '../../../src/protocol/review/debate-view.ts';
import { foldDebate } from '../../../src/protocol/review/fold-debate.ts';
import type { RunNode, RunTree } from '../../model/run-tree.ts';

/** The runs of a tree in which implementations are reviewed, the root first. */
export const reviewRuns = (tree: RunTree): readonly RunNode[] =>
  [...tree.runs.values()].filter(({ snapshot }) => ledgerIn(snapshot.data) !== null);

export interface ReviewViews {
  readonly debate: DebateView;
  readonly compare: CompareView;
}

/** The same that the commands print, from the records this page has. */
export function reviewViews({ lines, count }: RunNode): ReviewViews {
  const records = lines.slice(0, count).map(({ record }) => record);
  const around = { title: '', driven: true };
  return { debate: foldDebate(records, around), compare: foldCompare(records, around) };
}

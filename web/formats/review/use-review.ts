import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useMemo } from 'react';
import type { CompareView, ImplementationView } from '../../../src/formats/review/views/compare-view.ts';
import { api, runPath } from '../../api/client.ts';
import type { RunNode, RunTree } from '../../model/run-tree.ts';
import { useSelection } from '../../model/selection.ts';
import { useTree } from '../../model/use-run.ts';
import { reviewStateIn } from '../../../src/formats/review/views/review-state-in.ts';
import { foldCompare } from '../../../src/formats/review/views/fold-compare.ts';
import type { DebateView } from '../../../src/formats/review/views/debate-view.ts';
import { foldDebate } from '../../../src/formats/review/views/fold-debate.ts';

/** The runs of a tree in which implementations are reviewed, the root first. */
export const reviewRuns = (tree: RunTree): readonly RunNode[] =>
  [...tree.runs.values()].filter(({ snapshot }) => reviewStateIn(snapshot.data) !== null);

interface ReviewViews {
  readonly debate: DebateView;
  readonly compare: CompareView;
}

/** The same that the commands print, from the records this page has. */
export function reviewViews({ lines, count }: RunNode): ReviewViews {
  const records = lines.slice(0, count).map(({ record }) => record);
  const around = { title: '', driven: true };
  return { debate: foldDebate(records, around), compare: foldCompare(records, around) };
}

export interface ShownReview extends ReviewViews {
  readonly run: RunNode;
  /** All reviews of the tree, by run. */
  readonly runs: readonly string[];
}

/** The review that is looked at: of the chosen run, else the first there is. Null where there is none. */
export function useReview(): ShownReview | null {
  const [selection] = useSelection();
  const names = useTree(
    (tree) => reviewRuns(tree).map(({ run }) => run),
    (a, b) => a.join() === b.join(),
  );
  const name = names.find((run) => run === selection.run) ?? names[0] ?? null;
  const run = useDeferredValue(useTree((tree) => (name === null ? null : (tree.runs.get(name) ?? null))));
  const views = useMemo(() => (run === null ? null : reviewViews(run)), [run]);
  const sizes = useSizes(run);
  if (run === null || views === null) return null;
  return { run, runs: names, debate: views.debate, compare: withSizes(views.compare, sizes) };
}

/** Sizes as the files are now, which only the server can tell; asked for again with every step. */
function useSizes(run: RunNode | null): readonly ImplementationView[] {
  const { data } = useQuery({
    queryKey: ['compare', run?.run, run?.snapshot.path.length, run?.snapshot.status],
    queryFn: ({ signal }) => api.get<CompareView>(runPath(run?.run ?? '', '/compare'), {}, { signal }),
    enabled: run !== null,
    placeholderData: (before) => before,
    retry: false,
  });
  return data?.implementations ?? [];
}

const withSizes = (compare: CompareView, sizes: readonly ImplementationView[]): CompareView => ({
  ...compare,
  implementations: compare.implementations.map((one) => ({
    ...one,
    diff: sizes.find(({ id }) => id === one.id)?.diff ?? one.diff,
  })),
});

import { useMemo, useState } from 'react';
import { forkPointOf, forkPoints, type ForkPoint } from '../../model/fork-points.ts';
import { useSelection } from '../../model/selection.ts';
import { useRunStore, useTree } from '../../model/use-run.ts';

export interface Steps {
  readonly points: readonly ForkPoint[];
  readonly chosen: ForkPoint | null;
  readonly choose: (at: string) => void;
}

/** The steps a run can be taken up at, and the one the address means. */
export function useSteps(): Steps {
  const store = useRunStore();
  const [selection, select] = useSelection();
  const root = useTree((tree) => tree.runs.get(tree.root));
  const points = useMemo(() => (root === undefined ? [] : forkPoints(root)), [root]);
  // Who looks at the newest step means that one, also when the run has gone on by the time the button is pressed.
  const isLoaded = useTree((tree) => tree.isLoaded);
  const [first, setFirst] = useState<string | null>(null);
  const last = points.at(-1);
  if (isLoaded && first === null && last !== undefined) setFirst(last.at);
  const newest = points.find(({ at }) => at === first);
  const chosen = (selection.state === undefined ? newest : null) ?? forkPointOf(store.get(), selection);
  const choose = (at: string): void => {
    const visit = points.find((point) => point.at === at)?.visit;
    if (visit !== undefined) select({ run: undefined, state: visit.state, visit: visit.visit });
  };
  return { points, chosen, choose };
}

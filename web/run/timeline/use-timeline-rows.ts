import { useMemo, useState } from 'react';
import { useTree } from '../../model/use-run.ts';
import { timelineRows, type TimelineRow } from './timeline-rows.ts';

/** More runs below than these begin folded. */
const FEW = 3;

/** The lanes of a run and of those below it, which can be folded. */
export function useTimelineRows(): { readonly rows: readonly TimelineRow[]; readonly toggle: (run: string) => void } {
  const tree = useTree(
    (one) => one,
    (a, b) => a.runs === b.runs,
  );
  const [chosen, setChosen] = useState<ReadonlyMap<string, boolean>>(new Map());
  const isFew = tree.runs.size - 1 <= FEW;
  const rows = useMemo(() => timelineRows(tree, (run) => chosen.get(run) ?? isFew), [tree, chosen, isFew]);
  return { rows, toggle: (run) => setChosen(new Map(chosen).set(run, !(chosen.get(run) ?? isFew))) };
}

import { historyOf } from '../../model/run-history.ts';
import { useSelection } from '../../model/selection.ts';
import { useRunStore } from '../../model/use-run.ts';
import { useShortcut } from '../../ui/use-shortcut.ts';
import { barSelection, nextLaneBar, nextVisit, visitSelection } from './next-step.ts';
import type { TimelineRow } from './timeline-rows.ts';

/** j and k go from step to step, h and l from agent to agent. */
export function useRunKeys(rows: readonly TimelineRow[]): void {
  const store = useRunStore();
  const [selection, select] = useSelection();
  const step = (by: 1 | -1): void => {
    const tree = store.get();
    const run = tree.runs.get(selection.run ?? tree.root);
    const visit = run === undefined ? null : nextVisit(historyOf(run).visits.counting, selection, by);
    if (visit !== null) select(visitSelection(visit, tree.root));
  };
  const lane = (by: 1 | -1): void => {
    const { root } = store.get();
    const bar = nextLaneBar(rows, selection, { root, by });
    if (bar !== null) select(barSelection(bar, root));
  };
  useShortcut('j', 'Next step', () => step(1));
  useShortcut('k', 'Previous step', () => step(-1));
  useShortcut('h', 'Previous agent', () => lane(-1));
  useShortcut('l', 'Next agent', () => lane(1));
}

import { useCallback, useMemo, useState, type KeyboardEvent } from 'react';
import type { GraphNode, GraphView } from '../../../src/protocol/web/graph-view.ts';
import { useSelection } from '../../model/selection.ts';
import { useRunStore } from '../../model/use-run.ts';
import { selectedNode, selectionOf } from '../graph/selected-node.ts';
import { outlineMove, outlineRows, type OutlineRow } from './outline-rows.ts';

export interface OutlineHands {
  readonly rows: readonly OutlineRow[];
  readonly selected: GraphNode | null;
  /** The row the Tab key reaches. */
  readonly reached: OutlineRow | undefined;
  readonly choose: (row: OutlineRow) => void;
  readonly onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
}

/** A tree as people with a keyboard know it: one row is reached, and keys go on from there. */
export function useOutline(view: GraphView, toggle: (row: OutlineRow) => void): OutlineHands {
  const store = useRunStore();
  const [selection, select] = useSelection();
  const rows = useMemo(() => outlineRows(view), [view]);
  const [focused, setFocused] = useState<string | null>(null);
  const selected = selectedNode(view, selection, store.get().root);
  const reached = rows.find(({ node }) => node.id === (focused ?? selected?.id)) ?? rows[0];
  const choose = useCallback(
    (row: OutlineRow) => {
      setFocused(row.node.id);
      select(selectionOf(store.get(), row.node, row.pool));
    },
    [select, store],
  );
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const move = reached === undefined ? null : outlineMove(rows, reached, event.key);
    if (move === null || reached === undefined) return;
    event.preventDefault();
    if (move.kind === 'toggle') return toggle(reached);
    if (move.kind === 'choose') return choose(reached);
    const { id } = move.to.node;
    setFocused(id);
    event.currentTarget.parentElement?.querySelector<HTMLElement>(`[data-outline="${CSS.escape(id)}"]`)?.focus();
  };
  return { rows, selected, reached, choose, onKeyDown };
}

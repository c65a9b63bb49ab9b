import { useCallback, useMemo, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import type { GraphView } from '../../../src/protocol/web/graph-view.ts';
import { useSelection } from '../../model/selection.ts';
import { useRunStore } from '../../model/use-run.ts';
import { Empty } from '../../ui/empty.tsx';
import { selectedNode, selectionOf } from '../graph/selected-node.ts';
import { useGraphView, type ShownGraph } from '../graph/use-graph-view.ts';
import { VisitsStrip } from '../graph/visits-strip.tsx';
import { OutlineItem } from './outline-item.tsx';
import { outlineMove, outlineRows, type OutlineRow } from './outline-rows.ts';

/** The same machine as the graph, as a tree: for whoever cannot see a picture, or has no room for one. */
export function OutlineTree(): ReactNode {
  const shown = useGraphView();
  if (shown.view !== null) return <Outline view={shown.view} shown={shown} />;
  if (shown.error !== null) return <Empty title="The outline cannot be shown" why={shown.error.message} />;
  return <div className="grid flex-1 place-items-center text-muted">Reading the workflow …</div>;
}

interface Props {
  readonly view: GraphView;
  readonly shown: ShownGraph;
}

function Outline({ view, shown }: Props): ReactNode {
  const store = useRunStore();
  const [selection, select] = useSelection();
  const rows = useMemo(() => outlineRows(view), [view]);
  const [reached, setReached] = useState<string | null>(null);
  const tree = useRef<HTMLDivElement>(null);
  const selected = selectedNode(view, selection, store.get().root);
  const current = rows.find(({ node }) => node.id === (reached ?? selected?.id)) ?? rows[0];
  const choose = useCallback(
    (row: OutlineRow) => {
      setReached(row.node.id);
      select(selectionOf(store.get(), row.node, row.pool));
    },
    [select, store],
  );
  const toggling = useRef(shown.toggle);
  toggling.current = shown.toggle;
  const toggle = useCallback((row: OutlineRow) => toggling.current(row.node.id), []);
  const onKeyDown = (event: KeyboardEvent): void => {
    const move = current === undefined ? null : outlineMove(rows, current, event.key);
    if (move === null || current === undefined) return;
    event.preventDefault();
    if (move.kind === 'toggle') return toggle(current);
    if (move.kind === 'choose') return choose(current);
    setReached(move.to.node.id);
    tree.current?.querySelector<HTMLElement>(`[data-outline="${CSS.escape(move.to.node.id)}"]`)?.focus();
  };
  return (
    <div className="flex min-h-0 flex-1 flex-col bg-surface">
      <p aria-hidden className="flex h-11 shrink-0 items-center border-b border-line pl-4 text-muted">
        Outline
      </p>
      <div ref={tree} role="tree" aria-label="Outline of the run" className="min-h-0 flex-1 overflow-y-auto py-1 pr-1" onKeyDown={onKeyDown}>
        {rows.map((row) => (
          <OutlineItem
            key={row.node.id}
            row={row}
            isSelected={selected?.id === row.node.id}
            isReached={current === row}
            onChoose={choose}
            onToggle={toggle}
          />
        ))}
      </div>
      {selected !== null && <VisitsStrip node={selected} />}
    </div>
  );
}

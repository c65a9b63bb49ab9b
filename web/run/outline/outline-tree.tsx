import { useCallback, type ReactNode } from 'react';
import type { GraphView } from '../../../src/protocol/web/graph-view.ts';
import { Empty } from '../../ui/empty.tsx';
import { useGraphView } from '../graph/use-graph-view.ts';
import { VisitsStrip } from '../graph/visits-strip.tsx';
import { OutlineItem } from './outline-item.tsx';
import type { OutlineRow } from './outline-rows.ts';
import { useOutline } from './use-outline.ts';

/** The same machine as the graph, as a tree: for whoever cannot see a picture, or has no room for one. */
export function OutlineTree(): ReactNode {
  const { view, error, toggle } = useGraphView();
  if (view !== null) return <Outline view={view} onToggle={toggle} />;
  if (error !== null) return <Empty title="The outline cannot be shown" why={error.message} />;
  return <div className="grid flex-1 place-items-center text-muted">Reading the workflow …</div>;
}

interface Props {
  readonly view: GraphView;
  readonly onToggle: (id: string) => void;
}

function Outline({ view, onToggle }: Props): ReactNode {
  const toggle = useCallback((row: OutlineRow) => onToggle(row.node.id), [onToggle]);
  const { rows, selected, reached, choose, onKeyDown } = useOutline(view, toggle);
  return (
    <div className="flex min-h-0 flex-1 flex-col bg-surface">
      <div role="tree" aria-label="Outline of the run" className="min-h-0 flex-1 overflow-y-auto py-1 pr-1">
        {rows.map((row) => (
          <OutlineItem
            key={row.node.id}
            row={row}
            isSelected={selected?.id === row.node.id}
            isReached={reached === row}
            onChoose={choose}
            onToggle={toggle}
            onKeyDown={onKeyDown}
          />
        ))}
      </div>
      {selected !== null && <VisitsStrip node={selected} />}
    </div>
  );
}

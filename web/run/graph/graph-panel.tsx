import { ReactFlowProvider } from '@xyflow/react';
import { ListTree, Workflow } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { Empty } from '../../ui/empty.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { useIsNarrow } from '../../ui/use-media.ts';
import { OutlineTree } from '../outline/outline-tree.tsx';
import { LiveGraph } from './live-graph.tsx';
import { useGraphView } from './use-graph-view.ts';

/** The run as a picture, or as an outline of the same: the outline first where there is little room. */
export function GraphPanel(): ReactNode {
  const isNarrow = useIsNarrow();
  const [chosen, setChosen] = useState<'graph' | 'outline' | null>(null);
  const shown = useGraphView();
  const form = chosen ?? (isNarrow ? 'outline' : 'graph');
  return (
    <section aria-label="Workflow" className="relative flex min-h-0 min-w-0 flex-1 flex-col">
      <div className="absolute top-2 right-2 z-10 flex rounded-md border border-line bg-surface shadow-raised">
        <IconButton label="Show the graph" isPressed={form === 'graph'} onClick={() => setChosen('graph')}>
          <Workflow size={15} aria-hidden />
        </IconButton>
        <IconButton label="Show the outline" isPressed={form === 'outline'} onClick={() => setChosen('outline')}>
          <ListTree size={15} aria-hidden />
        </IconButton>
      </div>
      {form === 'outline' ? <OutlineTree /> : <GraphOrWhy shown={shown} />}
    </section>
  );
}

function GraphOrWhy({ shown }: { readonly shown: ReturnType<typeof useGraphView> }): ReactNode {
  if (shown.view !== null) {
    return (
      <ReactFlowProvider>
        <LiveGraph shown={shown} view={shown.view} />
      </ReactFlowProvider>
    );
  }
  if (shown.error !== null) return <Empty title="The graph cannot be drawn" why={shown.error.message} />;
  return <div className="grid flex-1 place-items-center text-muted">Drawing the graph …</div>;
}

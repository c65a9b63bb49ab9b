import { ReactFlowProvider } from '@xyflow/react';
import { useMemo, useState, type ReactNode } from 'react';
import type { GraphNode, GraphView } from '../../../src/protocol/web/graph-view.ts';
import type { PlacedProblem } from '../../../src/protocol/web/workflow-page.ts';
import { EdgeBook } from '../../model/graph-edges.ts';
import { CanvasContext, CanvasStore } from './canvas-store.ts';
import { GraphCanvas } from './graph-canvas.tsx';
import { ProblemsContext } from './node-problem.tsx';

interface Props {
  readonly graph: GraphView;
  readonly problems?: readonly PlacedProblem[];
  /** A node was chosen. */
  readonly onSelect?: (node: GraphNode) => void;
  /** Something is to be unfolded or folded; without it nothing can be. */
  readonly onToggle?: (node: GraphNode) => void;
}

const NONE: readonly PlacedProblem[] = [];

/** The picture of a workflow that does not run, with its problems at their places. */
export function WorkflowGraph({ graph, problems = NONE, onSelect, onToggle }: Props): ReactNode {
  const [store] = useState(() => new CanvasStore());
  const [anchor, setAnchor] = useState<string | null>(null);
  const byState = useMemo(() => Map.groupBy(problems, ({ state }) => state ?? ''), [problems]);
  const canvas = useMemo(
    () => ({
      store,
      book: new EdgeBook(graph),
      select: (node: GraphNode) => {
        store.set({ selected: node.id });
        onSelect?.(node);
      },
      toggle: (node: GraphNode) => {
        setAnchor(node.id);
        onToggle?.(node);
      },
    }),
    [store, graph, onSelect, onToggle],
  );
  if (store.get().focused === null)
    store.set({ focused: graph.nodes.find(({ kind }) => kind !== 'start')?.id ?? null });
  return (
    <ReactFlowProvider>
      <ProblemsContext value={byState}>
        <CanvasContext value={canvas}>
          <GraphCanvas view={graph} label="Graph of the workflow" active={null} anchor={anchor} follow={null} />
        </CanvasContext>
      </ProblemsContext>
    </ReactFlowProvider>
  );
}

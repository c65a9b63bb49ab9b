import { useQuery } from '@tanstack/react-query';
import { ReactFlowProvider } from '@xyflow/react';
import { useEffect, useMemo, useState, type ReactNode } from 'react';
import type { GraphNode, GraphView } from '../../../src/protocol/web/graph-view.ts';
import type { PlacedProblem, WorkflowPage } from '../../../src/protocol/web/workflow-page.ts';
import { api } from '../../api/client.ts';
import { EdgeBook } from '../../model/graph-edges.ts';
import { CanvasContext, CanvasStore } from './canvas-store.ts';
import { GraphCanvas } from './graph-canvas.tsx';
import { ProblemsContext } from './node-button.tsx';
import { useOpenParts } from './use-graph-view.ts';

interface Props {
  readonly graph: GraphView;
  readonly problems?: readonly PlacedProblem[];
  /** The workflow it is of: what it calls can be unfolded then. */
  readonly name?: string;
  /** A node was chosen. */
  readonly onSelect?: (node: GraphNode) => void;
}

const NONE: readonly PlacedProblem[] = [];

/** The picture of a workflow that does not run, with its problems at their places. */
export function WorkflowGraph({ graph, problems = NONE, name, onSelect }: Props): ReactNode {
  const [store] = useState(() => new CanvasStore());
  const [anchor, setAnchor] = useState<string | null>(null);
  const { view, toggle } = useUnfolded(graph, name);
  const byState = useMemo(() => Map.groupBy(problems, ({ state }) => state ?? ''), [problems]);
  const book = useMemo(() => new EdgeBook(view), [view]);
  useEffect(() => {
    const isThere = view.nodes.some(({ id }) => id === store.get().focused);
    if (!isThere) store.set({ focused: view.nodes.find(({ kind }) => kind !== 'start')?.id ?? null });
  }, [store, view]);
  const unfold = (node: GraphNode): void => {
    setAnchor(node.id);
    toggle(node.id);
  };
  const select = (node: GraphNode): void => {
    store.set({ selected: node.id });
    onSelect?.(node);
  };
  const canvas = { store, book, select, toggle: name === undefined ? null : unfold };
  return (
    <ReactFlowProvider>
      <ProblemsContext value={byState}>
        <CanvasContext value={canvas}>
          <GraphCanvas view={view} label="Graph of the workflow" active={null} anchor={anchor} follow={null} />
        </CanvasContext>
      </ProblemsContext>
    </ReactFlowProvider>
  );
}

/** As it came, until somebody unfolds something. */
function useUnfolded(
  graph: GraphView,
  name: string | undefined,
): { readonly view: GraphView; readonly toggle: (id: string) => void } {
  const [open, setOpen] = useOpenParts();
  const { data = null } = useQuery({
    queryKey: ['workflow-graph', name, graph.hash, open],
    queryFn: async ({ signal }) => {
      const path = `/api/workflows/${encodeURIComponent(name ?? '')}`;
      const page = await api.get<WorkflowPage>(path, { open: [NOTHING, ...(open ?? [])].join(',') }, { signal });
      return page.graph;
    },
    placeholderData: (before) => before,
    enabled: open !== null && name !== undefined,
    staleTime: Infinity,
  });
  const now = open ?? graph.nodes.filter(({ inside }) => inside === 'open').map(({ id }) => id);
  return {
    view: data ?? graph,
    toggle: (id) => setOpen(now.includes(id) ? now.filter((one) => one !== id) : [...now, id]),
  };
}

/** No node is called so: an empty list of open ones is not the same as none said. */
const NOTHING = '-';

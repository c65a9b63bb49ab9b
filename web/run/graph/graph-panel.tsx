import { ReactFlowProvider, useReactFlow, useStoreApi } from '@xyflow/react';
import { ListTree, Workflow } from 'lucide-react';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { Empty } from '../../ui/boxes.tsx';
import { IconButton } from '../../ui/controls.tsx';
import { useIsNarrow } from '../../ui/use-media.ts';
import { OutlineTree } from '../outline/outline-tree.tsx';
import { GraphBar } from './graph-tools.tsx';
import { type ShownGraph, useGraphView } from './use-graph-view.ts';
import type { GraphNode, GraphView } from '../../../src/protocol/web/graph-view.ts';
import { EdgeBook } from '../../model/graph-edges.ts';
import { useSelection } from '../../model/selection.ts';
import { useRunStore, useTree } from '../../model/use-run.ts';
import { activeNodes, firstNode, openFor } from './active-nodes.ts';
import { centredOn, READABLE } from './camera.ts';
import { CanvasContext, CanvasStore } from './canvas-store.ts';
import { GraphCanvas } from './graph-canvas.tsx';
import { selectedNode, selectionOf } from './selected-node.ts';
import { VisitsStrip } from './visits-strip.tsx';

interface Props {
  readonly shown: ShownGraph;
  readonly view: GraphView;
  /** At the beginning of the bar above it. */
  readonly lead: ReactNode;
}

/** The picture of a run: what is chosen stands in the address, what is active is looked up by each node. */
export function LiveGraph({ shown, view, lead }: Props): ReactNode {
  const store = useRunStore();
  const [selection, select] = useSelection();
  const [anchor, setAnchor] = useState<string | null>(null);
  const [isFollowing, setFollowing] = useState(false);
  const book = useMemo(() => new EdgeBook(view), [view]);
  const [marks] = useState(() => new CanvasStore());
  const selected = selectedNode(view, selection, store.get().root);
  const first = useMemo(() => firstNode(view, store.get()), [view, store]);
  useEffect(() => {
    const { focused } = marks.get();
    const isThere = view.nodes.some(({ id }) => id === focused);
    const reached = isThere ? focused : (selected ?? first ?? view.nodes.find(({ kind }) => kind !== 'start'))?.id;
    marks.set({ selected: selected?.id ?? null, focused: reached ?? null });
  }, [marks, selected, first, view]);
  useFollowing(isFollowing, view, shown.open);
  const { toggle } = shown;
  const canvas = useMemo(
    () => ({
      store: marks,
      book,
      select: (node: GraphNode) => {
        const pool = view.nodes.find(({ id }) => id === node.parent)?.state ?? null;
        select(selectionOf(store.get(), node, pool));
      },
      toggle: (node: GraphNode) => {
        setAnchor(node.id);
        toggle(node.id);
      },
    }),
    [marks, book, view, store, select, toggle],
  );
  return (
    <CanvasContext value={canvas}>
      <GraphCanvas
        view={view}
        label="Graph of the run"
        active={selected ?? first}
        anchor={anchor}
        follow={{ isOn: isFollowing, set: setFollowing }}
        lead={lead}
      />
      {selected !== null && <VisitsStrip node={selected} />}
    </CanvasContext>
  );
}

/** Off until asked: then what is active is unfolded and in the middle. */
function useFollowing(isOn: boolean, view: GraphView, open: (ids: readonly string[]) => void): void {
  const flow = useReactFlow();
  const pane = useStoreApi();
  const store = useRunStore();
  const active = useTree((tree) => (isOn ? (activeNodes(view, tree)[0] ?? null) : null));
  useEffect(() => {
    if (active === null) return;
    const hidden = openFor(view, store.get());
    if (hidden.length > 0) open(hidden);
    const camera = centredOn(active, pane.getState(), Math.max(READABLE, flow.getZoom()));
    const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
    void flow.setViewport(camera, { duration: isStill ? 0 : 150 });
    // A new layout moves the same node.
  }, [active, view, store, pane, flow, open]);
}

type Form = 'graph' | 'outline';

/** The run as a picture, or as an outline of the same: the outline first where there is little room. */
export function GraphPanel(): ReactNode {
  const isNarrow = useIsNarrow();
  const [chosen, setChosen] = useState<Form | null>(null);
  const shown = useGraphView();
  const form = chosen ?? (isNarrow ? 'outline' : 'graph');
  const lead = <FormSwitch form={form} onChange={setChosen} />;
  return (
    <section aria-label="Workflow" className="flex min-h-0 min-w-0 flex-1 flex-col">
      {form === 'graph' && shown.view !== null ? (
        <ReactFlowProvider>
          <LiveGraph shown={shown} view={shown.view} lead={lead} />
        </ReactFlowProvider>
      ) : (
        <>
          <GraphBar lead={lead} />
          {form === 'outline' ? <OutlineTree /> : <WhyNone error={shown.error} />}
        </>
      )}
    </section>
  );
}

function WhyNone({ error }: { readonly error: Error | null }): ReactNode {
  if (error !== null) return <Empty title="The graph cannot be drawn" why={error.message} />;
  return <div className="grid flex-1 place-items-center text-muted">Drawing the graph …</div>;
}

interface SwitchProps {
  readonly form: Form;
  readonly onChange: (form: Form) => void;
}

function FormSwitch({ form, onChange }: SwitchProps): ReactNode {
  return (
    <span className="flex gap-0.5">
      <IconButton label="Show the graph" isPressed={form === 'graph'} onClick={() => onChange('graph')}>
        <Workflow size={15} aria-hidden />
      </IconButton>
      <IconButton label="Show the outline" isPressed={form === 'outline'} onClick={() => onChange('outline')}>
        <ListTree size={15} aria-hidden />
      </IconButton>
    </span>
  );
}

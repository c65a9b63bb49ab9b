import { MiniMap, ReactFlow, useReactFlow, useStore, useStoreApi } from '@xyflow/react';
import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import type { GraphNode, GraphView } from '../../../src/protocol/web/graph-view.ts';
import { classNames } from '../../ui/controls.tsx';
import { BoxNode, ContainerNode, StartNode } from './box-node.tsx';
import {
  anchored,
  type Camera,
  filling,
  firstCamera,
  fitting,
  isSameCamera,
  LEAST_ZOOM,
  MOST_ZOOM,
  type Pane,
  READABLE,
  showing,
} from './camera.ts';
import { useCanvas } from './canvas-store.ts';
import { EdgeLayer } from './way-edge.tsx';
import { type FlowNode, flowNodes } from './flow-elements.ts';
import { GraphTools } from './graph-tools.tsx';
import { isArrow, nextNode } from './next-node.ts';
import './graph.css';
import { useShortcut } from '../../ui/shortcuts.ts';

/** All of a large picture, small: where one is in it. */
function Overview(): ReactNode {
  return (
    <MiniMap<FlowNode>
      pannable
      zoomable
      position="bottom-left"
      ariaLabel="Overview of the graph"
      style={{ width: 150, height: 110 }}
      bgColor="var(--surface)"
      maskColor="color-mix(in srgb, var(--hover) 75%, transparent)"
      nodeColor={({ type }) => (type === 'container' ? 'var(--hover)' : 'var(--line-strong)')}
      nodeStrokeColor="var(--line-strong)"
      nodeStrokeWidth={6}
    />
  );
}

/** One key shows the whole picture, the same key goes back to where one looked before. */
function useWhole(whole: () => Camera, view: GraphView): () => void {
  const flow = useReactFlow();
  const before = useRef<{ readonly camera: Camera; readonly view: GraphView } | null>(null);
  const change = (): void => {
    const [now, fit, known] = [flow.getViewport(), whole(), before.current];
    const isBack = isSameCamera(now, fit) && known?.view === view;
    before.current = isBack ? null : { camera: now, view };
    void flow.setViewport(isBack ? known.camera : fit);
  };
  useShortcut('0', 'See the whole graph, and back', change);
  return change;
}

interface Props {
  readonly view: GraphView;
  readonly label: string;
  /** Shown first, where not all of it can be. */
  readonly active: GraphNode | null;
  /** The node somebody used last: it stays where it is when the layout changes. */
  readonly anchor: string | null;
  readonly follow: { readonly isOn: boolean; readonly set: (isOn: boolean) => void } | null;
  /** At the beginning of the bar above it. */
  readonly lead?: ReactNode;
}

const NODES = { box: BoxNode, container: ContainerNode, start: StartNode };
const MANY = 60;

/** The picture itself. The camera is moved by people alone, by the switch that lets it follow, and where room comes free for what was cut off. */
export function GraphCanvas({ view, label, active, anchor, follow, lead }: Props): ReactNode {
  const nodes = useMemo(() => flowNodes(view), [view]);
  const camera = useCamera(view, anchor);
  const [isBegun, setBegun] = useState(false);
  const onKeyDown = useArrows(view, camera.show);
  return (
    <>
      <GraphTools onFit={camera.fit} isPart={camera.isPart} follow={follow} lead={lead} />
      <div className={classNames('graph relative min-h-0 flex-1', !isBegun && 'invisible')}>
        <ReactFlow
          aria-label={label}
          onKeyDown={onKeyDown}
          nodes={nodes}
          nodeTypes={NODES}
          minZoom={LEAST_ZOOM}
          maxZoom={MOST_ZOOM}
          nodesDraggable={false}
          nodesConnectable={false}
          nodesFocusable={false}
          elementsSelectable={false}
          panOnScroll
          // It is named in the bar above, where it covers nothing.
          proOptions={{ hideAttribution: true }}
          zoomOnDoubleClick={false}
          deleteKeyCode={null}
          selectionKeyCode={null}
          // Else the space bar would do nothing anywhere on the page: no scrolling, no unfolding.
          panActivationKeyCode={null}
          disableKeyboardA11y
          onInit={() => {
            camera.begin(active);
            setBegun(true);
          }}
        >
          <EdgeLayer edges={view.edges} width={view.width} height={view.height} />
          {nodes.length > MANY && <Overview />}
        </ReactFlow>
      </div>
    </>
  );
}

interface CameraHands {
  readonly begin: (active: GraphNode | null) => void;
  readonly fit: () => void;
  /** The whole of it would be too small to be read. */
  readonly isPart: boolean;
  readonly show: (node: GraphNode) => void;
}

function useCamera(view: GraphView, anchor: string | null): CameraHands {
  const flow = useReactFlow();
  const store = useStoreApi();
  const before = useRef(view);
  const pane = (): Pane => store.getState();
  const look = (to: Camera): void => void flow.setViewport(to);
  useEffect(() => {
    if (before.current === view) return;
    look(anchored(flow.getViewport(), { before: before.current, after: view, pane: pane(), node: anchor }));
    before.current = view;
  });
  const width = useStore((state) => state.width);
  const height = useStore((state) => state.height);
  const isBegun = useRef(false);
  useEffect(() => {
    if (!isBegun.current) return;
    const camera = flow.getViewport();
    const better = filling(camera, before.current, { width, height });
    if (better !== camera) void flow.setViewport(better);
  }, [flow, width, height]);
  return {
    begin: (active) => {
      look(firstCamera(view, pane(), active));
      isBegun.current = true;
    },
    fit: useWhole(() => fitting(view, pane()), view),
    isPart: width > 0 && fitting(view, { width, height }).zoom < READABLE,
    show: (node) => look(showing(flow.getViewport(), node, pane())),
  };
}

/** Arrow keys go from node to node; what is out of sight is brought into it. */
function useArrows(view: GraphView, show: (node: GraphNode) => void): (event: KeyboardEvent<HTMLElement>) => void {
  const { store } = useCanvas();
  return (event) => {
    const from = view.nodes.find(({ id }) => id === store.get().focused);
    const isOnNode = event.target instanceof HTMLElement && event.target.dataset['node'] !== undefined;
    if (!isArrow(event.key) || from === undefined || !isOnNode) return;
    event.preventDefault();
    const next = nextNode(view.nodes, from, event.key);
    if (next === null) return;
    show(next);
    const button = event.currentTarget.querySelector<HTMLElement>(`[data-node="${CSS.escape(next.id)}"]`);
    button?.focus({ preventScroll: true });
  };
}

import type { GraphNode, GraphView } from '../../../src/protocol/web/graph-view.ts';

/** Where one looks: as React Flow has it, screen = graph × zoom + offset. */
export interface Camera {
  readonly x: number;
  readonly y: number;
  readonly zoom: number;
}

export interface Pane {
  readonly width: number;
  readonly height: number;
}

export const LEAST_ZOOM = 0.15;
export const MOST_ZOOM = 2;
/** The least text of a picture has 12.5 pixels: below this it would have less than 11 on the screen, too small to read. */
export const READABLE = 0.88;
/** A picture already has an empty border. */
const MARGIN = 6;

/** The whole picture, as large as fits and not larger than it is. */
export function fitting({ width, height }: Pick<GraphView, 'width' | 'height'>, pane: Pane): Camera {
  const room = Math.min((pane.width - MARGIN * 2) / width, (pane.height - MARGIN * 2) / height);
  const zoom = Math.max(LEAST_ZOOM, Math.min(1, room));
  return { x: (pane.width - width * zoom) / 2, y: (pane.height - height * zoom) / 2, zoom };
}

/** The first view: the whole picture if it is readable, else the part around the active node or the beginning. */
export function firstCamera(view: GraphView, pane: Pane, active: GraphNode | null): Camera {
  const whole = fitting(view, pane);
  const middle = active ?? view.nodes[0];
  if (whole.zoom >= READABLE || middle === undefined) return whole;
  return inside(centredOn(middle, pane, READABLE), view, pane);
}

export const isSameCamera = (a: Camera, b: Camera): boolean =>
  Math.abs(a.x - b.x) < 1 && Math.abs(a.y - b.y) < 1 && Math.abs(a.zoom - b.zoom) < 0.001;

export function centredOn({ x, y, width, height }: GraphNode, pane: Pane, zoom: number): Camera {
  return { x: pane.width / 2 - (x + width / 2) * zoom, y: pane.height / 2 - (y + height / 2) * zoom, zoom };
}

/** No more empty space at an edge than there has to be. */
function inside({ x, y, zoom }: Camera, view: Pick<GraphView, 'width' | 'height'>, pane: Pane): Camera {
  return { x: within(x, view.width * zoom, pane.width), y: within(y, view.height * zoom, pane.height), zoom };
}

function within(offset: number, size: number, room: number): number {
  if (size + MARGIN * 2 <= room) return (room - size) / 2;
  return Math.max(room - size - MARGIN, Math.min(MARGIN, offset));
}

/** After the pane has changed: nothing is out of sight at one edge while the other is empty. The least move; else the same camera. */
export function filling(camera: Camera, { width, height }: Pick<GraphView, 'width' | 'height'>, pane: Pane): Camera {
  const { x, y, zoom } = camera;
  const dx = filled(x, width * zoom, pane.width);
  const dy = filled(y, height * zoom, pane.height);
  return dx === 0 && dy === 0 ? camera : { x: x + dx, y: y + dy, zoom };
}

function filled(offset: number, size: number, room: number): number {
  const before = offset - MARGIN;
  const after = room - MARGIN - (offset + size);
  if (before < 0 && after > 0) return Math.min(-before, after);
  return before > 0 && after < 0 ? Math.max(-before, after) : 0;
}

/**
 * After a new layout the same node stays at the same place of the screen: the one that was opened or folded, else the one that
 * was nearest to the middle. Nothing that both layouts have: the camera stays.
 */
export function anchored(camera: Camera, { before, after, ...at }: Relaid): Camera {
  const known = new Map(after.nodes.map((node) => [node.id, node]));
  const middle = { x: (at.pane.width / 2 - camera.x) / camera.zoom, y: (at.pane.height / 2 - camera.y) / camera.zoom };
  const shared = before.nodes.filter(({ id }) => known.has(id));
  const anchor = shared.find(({ id }) => id === at.node) ?? nearest(shared, middle);
  const moved = anchor === undefined ? undefined : known.get(anchor.id);
  if (anchor === undefined || moved === undefined) return camera;
  const { x, y, zoom } = camera;
  return { x: x + (anchor.x - moved.x) * zoom, y: y + (anchor.y - moved.y) * zoom, zoom };
}

export interface Relaid {
  readonly before: GraphView;
  readonly after: GraphView;
  readonly pane: Pane;
  /** The node somebody has just used. */
  readonly node: string | null;
}

function nearest(
  nodes: readonly GraphNode[],
  { x, y }: { readonly x: number; readonly y: number },
): GraphNode | undefined {
  const distance = (node: GraphNode): number => Math.hypot(node.x + node.width / 2 - x, node.y + node.height / 2 - y);
  return nodes.reduce<GraphNode | undefined>(
    (best, node) => (best === undefined || distance(node) < distance(best) ? node : best),
    undefined,
  );
}

/** The least move that brings a node into sight; the same camera where it is. */
export function showing(camera: Camera, node: GraphNode, pane: Pane): Camera {
  const { x, y, zoom } = camera;
  const move = (at: number, size: number, room: number): number => {
    if (at < MARGIN) return MARGIN - at;
    return at + size > room - MARGIN ? Math.max(MARGIN - at, room - MARGIN - at - size) : 0;
  };
  const dx = move(node.x * zoom + x, node.width * zoom, pane.width);
  const dy = move(node.y * zoom + y, node.height * zoom, pane.height);
  return dx === 0 && dy === 0 ? camera : { x: x + dx, y: y + dy, zoom };
}

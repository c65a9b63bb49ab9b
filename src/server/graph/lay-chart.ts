import { createHash } from 'node:crypto';
import { DETAIL_SIZE, LABEL_SIZE, labelSize, textWidth } from '../../protocol/graph/label-lines.ts';
import type { GraphEdge, GraphNode, GraphView } from '../../protocol/web/graph-view.ts';
import type { ChartSubject, Chart, Direction } from './chart.ts';
import type { LaidFlow, Point, Size } from './flow.ts';
import type { FlowLayout } from './lay-flow.ts';
import { layLanes } from './lay-lanes.ts';

/** The pane that a picture is made for: the direction in which it can be shown larger there is the better one. */
const PANE = { width: 1000, height: 630 };
const EDGE = 16;

type Layout = Pick<FlowLayout, 'lay'>;

export async function layChart(chart: Chart, layout: Layout, wanted?: Direction): Promise<GraphView> {
  const directions = wanted === undefined ? directionsFor(chart) : [wanted];
  const laid = await Promise.all(directions.map((direction) => layInner(chart, layout, direction)));
  const views = laid.map((one, index) => viewOf(chart, one, directions[index] ?? 'right'));
  const [first, ...rest] = views;
  if (first === undefined) throw new Error('A chart is laid out in one direction at least.');
  return rest.reduce((best, view) => (zoomOf(view) > zoomOf(best) ? view : best), first);
}

/** A chart too large for any pane is laid out downwards, and only once. */
const MANY = 120;
const directionsFor = ({ boxes }: Chart): readonly Direction[] => (boxes.length > MANY ? ['down'] : ['right', 'down']);

const zoomOf = ({ width, height }: Size): number => Math.min(1, PANE.width / width, PANE.height / height);

/** A chart with places; its boxes are as large as what is in them wants. */
interface LaidChart extends LaidFlow {
  readonly sizes: readonly Size[];
  readonly inner: readonly (LaidChart | null)[];
}

/** Inside first: no link leaves its chart, so each can be laid out alone, and stays as it is when something else is opened. */
async function layInner({ arrange, boxes, links }: Chart, layout: Layout, direction: Direction): Promise<LaidChart> {
  const inner = await Promise.all(
    boxes.map(async (box) => (box.inner === null ? null : await layInner(box.inner, layout, direction))),
  );
  const sizes = boxes.map(({ about }, index) => sizeOf(about, inner[index] ?? null));
  if (arrange === 'lanes' && links.length === 0) return { ...layLanes(sizes, direction), inner };
  const numbers = new Map(boxes.map(({ about }, index) => [about.id, index]));
  const flow = await layout.lay({
    direction,
    sizes,
    links: links.map(({ from, to, isBack, label }) => ({
      from: numbers.get(from) ?? 0,
      to: numbers.get(to) ?? 0,
      isBack,
      label: labelSize(label),
    })),
  });
  return { ...flow, sizes, inner };
}

const HEAD = 34;
const PADDING = 14;
const LEAST = 96;
const MOST = 288;
const BESIDE = 46;

/** By what is written in it; a picture and what its kind is stand before the words. */
function sizeOf({ kind, label, detail, inside }: ChartSubject, inner: LaidChart | null): Size {
  if (kind === 'start') return { width: 18, height: 18 };
  const words = Math.max(textWidth(label, LABEL_SIZE) * 1.06, textWidth(detail, DETAIL_SIZE));
  const more = inside === 'none' ? 0 : 22;
  const width = Math.ceil(Math.min(MOST, Math.max(LEAST, words + BESIDE + more)));
  if (inner === null) return { width, height: detail === '' ? 38 : 52 };
  return { width: Math.max(width, inner.width + PADDING * 2), height: inner.height + HEAD + PADDING };
}

function viewOf(chart: Chart, laid: LaidChart, direction: Direction): GraphView {
  const nodes: GraphNode[] = [];
  const edges: GraphEdge[] = [];
  place({ chart, laid, parent: null, corner: { x: EDGE, y: EDGE } }, { nodes, edges });
  const size = extent(nodes, edges);
  const view = { direction, width: size.width + EDGE, height: size.height + EDGE, nodes, edges };
  return { hash: createHash('sha256').update(JSON.stringify(view)).digest('base64url').slice(0, 22), ...view };
}

interface Placing {
  readonly chart: Chart;
  readonly laid: LaidChart;
  readonly parent: string | null;
  /** Where the chart begins in the whole picture. */
  readonly corner: Point;
}

interface Placed {
  readonly nodes: GraphNode[];
  readonly edges: GraphEdge[];
}

function place(placing: Placing, placed: Placed): void {
  const { chart, laid, parent, corner } = placing;
  for (const [index, { about, inner }] of chart.boxes.entries()) {
    const at = moved(laid.places[index] ?? NOWHERE, corner);
    placed.nodes.push({ ...about, parent, ...at, ...(laid.sizes[index] ?? { width: 0, height: 0 }) });
    const below = laid.inner[index] ?? null;
    const inside = { x: at.x + PADDING, y: at.y + HEAD };
    if (inner !== null && below !== null) {
      place({ chart: inner, laid: below, parent: about.id, corner: inside }, placed);
    }
  }
  placed.edges.push(...placedEdges(placing));
}

function placedEdges({ chart, laid, corner }: Placing): readonly GraphEdge[] {
  return chart.links.map((link, index) => {
    const { points = [], labelAt = null } = laid.routes[index] ?? {};
    return {
      ...link,
      points: points.map((point) => moved(point, corner)),
      labelAt: labelAt === null ? null : { ...labelAt, ...moved(labelAt, corner) },
    };
  });
}

const NOWHERE = { x: 0, y: 0 };

const moved = ({ x, y }: Point, corner: Point): Point => ({ x: tenth(x + corner.x), y: tenth(y + corner.y) });

const tenth = (value: number): number => Math.round(value * 10) / 10;

/** Everything is inside, also an edge that makes a bow around its box. */
function extent(nodes: readonly GraphNode[], edges: readonly GraphEdge[]): Size {
  const corners = [
    ...nodes.map(({ x, y, width, height }) => ({ x: x + width, y: y + height })),
    ...edges.flatMap(({ points, labelAt }) => [
      ...points,
      ...(labelAt === null ? [] : [{ x: labelAt.x + labelAt.width, y: labelAt.y + labelAt.height }]),
    ]),
  ];
  return corners.reduce(
    (size, { x, y }) => ({ width: Math.max(size.width, Math.ceil(x)), height: Math.max(size.height, Math.ceil(y)) }),
    { width: 0, height: 0 },
  );
}

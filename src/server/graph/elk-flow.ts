import type { ElkExtendedEdge, ElkNode } from 'elkjs/lib/elk-api.js';
import type { Flow, FlowLink, LaidFlow, Point, Route } from './flow.ts';

/** How ELK is asked: the way of the author from left to right or downwards, with room for what is written on edges. */
export function toElk({ direction, sizes, links }: Flow): ElkNode {
  return {
    id: 'root',
    layoutOptions: {
      ...OPTIONS,
      ...(sizes.length > MANY ? QUICK : {}),
      'elk.direction': direction === 'right' ? 'RIGHT' : 'DOWN',
    },
    children: sizes.map((size, index) => ({ id: `n${index}`, ...size })),
    edges: links.map(toElkEdge),
  };
}

const OPTIONS = {
  'elk.algorithm': 'layered',
  'elk.edgeRouting': 'ORTHOGONAL',
  'elk.padding': '[top=0,left=0,bottom=0,right=0]',
  'elk.spacing.nodeNode': '26',
  'elk.spacing.edgeNode': '16',
  'elk.spacing.edgeEdge': '12',
  'elk.spacing.edgeLabel': '3',
  'elk.layered.spacing.nodeNodeBetweenLayers': '36',
  'elk.layered.spacing.edgeNodeBetweenLayers': '14',
  'elk.layered.spacing.edgeEdgeBetweenLayers': '12',
  'elk.layered.nodePlacement.strategy': 'NETWORK_SIMPLEX',
  'elk.layered.considerModelOrder.strategy': 'NODES_AND_EDGES',
  'elk.layered.thoroughness': '7',
  'elk.randomSeed': '1',
};

/** Where there is much to place, a little less care saves two thirds of the time. */
const MANY = 120;
const QUICK = { 'elk.layered.nodePlacement.strategy': 'BRANDES_KOEPF', 'elk.layered.thoroughness': '1' };

/** A way back is given the other way round, so that what is read first comes first; its points are turned afterwards. */
function toElkEdge({ from, to, isBack, label }: FlowLink, index: number): ElkExtendedEdge {
  const [source, target] = isBack ? [to, from] : [from, to];
  return {
    id: `e${index}`,
    sources: [`n${source}`],
    targets: [`n${target}`],
    ...(label === null ? {} : { labels: [{ text: '…', ...label, layoutOptions: LABEL }] }),
  };
}

const LABEL = { 'elk.edgeLabels.placement': 'CENTER' };

/** What ELK answered; null where something has no place, so that no picture is drawn with holes. */
export function fromElk({ width, height, children = [], edges = [] }: ElkNode, flow: Flow): LaidFlow | null {
  const places = flow.sizes.map((_, index) => pointOf(children[index]));
  const routes = flow.links.map((link, index) => routeOf(edges[index], link));
  if (width === undefined || height === undefined || !places.every(isThere) || !routes.every(isThere)) return null;
  return { width: Math.ceil(width), height: Math.ceil(height), places, routes };
}

const isThere = <T>(value: T | null): value is T => value !== null;

function pointOf(node: { readonly x?: number; readonly y?: number } | undefined): Point | null {
  return node?.x === undefined || node.y === undefined ? null : { x: round(node.x), y: round(node.y) };
}

function routeOf(edge: ElkExtendedEdge | undefined, { isBack, label }: FlowLink): Route | null {
  const [section] = edge?.sections ?? [];
  if (section === undefined) return null;
  const { startPoint, bendPoints = [], endPoint } = section;
  const way = [startPoint, ...bendPoints, endPoint].map(({ x, y }) => ({ x: round(x), y: round(y) }));
  const at = pointOf(edge?.labels?.[0]);
  return {
    points: isBack ? way.toReversed() : way,
    labelAt: label === null || at === null ? null : { ...at, ...label },
  };
}

const round = (value: number): number => Math.round(value * 10) / 10;

import type { GraphNode, GraphView } from '../../../protocol/web/graph-view.ts';

const CLOSE = 1.5;

/** What is wrong with a picture: boxes over each other or outside of what they are in, edges that end beside their boxes. */
export function flawsOf(view: GraphView): readonly string[] {
  const byId = new Map(view.nodes.map((node) => [node.id, node]));
  return [
    ...(byId.size === view.nodes.length ? [] : ['two nodes have the same id']),
    ...(new Set(view.edges.map(({ id }) => id)).size === view.edges.length ? [] : ['two edges have the same id']),
    ...[...Map.groupBy(view.nodes, ({ parent }) => parent).values()].flatMap(overlaps),
    ...view.nodes.flatMap((node) => outside(node, byId, view)),
    ...view.edges.flatMap((edge) => [
      ...ends(edge.id, edge.points.at(0), byId.get(edge.from)),
      ...ends(edge.id, edge.points.at(-1), byId.get(edge.to)),
      ...edge.points.flatMap(({ x, y }) =>
        x >= 0 && y >= 0 && x <= view.width && y <= view.height ? [] : [`${edge.id} leaves the picture`],
      ),
    ]),
  ];
}

function overlaps(siblings: readonly GraphNode[]): readonly string[] {
  return siblings.flatMap((one, index) =>
    siblings
      .slice(index + 1)
      .filter(
        (other) =>
          one.x < other.x + other.width &&
          other.x < one.x + one.width &&
          one.y < other.y + other.height &&
          other.y < one.y + one.height,
      )
      .map((other) => `${one.id} lies over ${other.id}`),
  );
}

function outside(node: GraphNode, byId: ReadonlyMap<string, GraphNode>, view: GraphView): readonly string[] {
  const parent = node.parent === null ? { x: 0, y: 0, ...view } : byId.get(node.parent);
  if (parent === undefined) return [`${node.id} has no parent`];
  const isIn =
    node.x >= parent.x &&
    node.y >= parent.y &&
    node.x + node.width <= parent.x + parent.width &&
    node.y + node.height <= parent.y + parent.height;
  return isIn ? [] : [`${node.id} is outside of ${node.parent ?? 'the picture'}`];
}

type Point = GraphView['edges'][number]['points'][number];

/** On the border, as far as rounding goes. */
function ends(edge: string, point: Point | undefined, node: GraphNode | undefined): readonly string[] {
  if (point === undefined || node === undefined) return [`${edge} has no end`];
  const { x, y, width, height } = node;
  const isNear =
    point.x >= x - CLOSE && point.x <= x + width + CLOSE && point.y >= y - CLOSE && point.y <= y + height + CLOSE;
  const isOnBorder = [point.x - x, point.x - (x + width), point.y - y, point.y - (y + height)].some(
    (distance) => Math.abs(distance) <= CLOSE,
  );
  return isNear && isOnBorder ? [] : [`${edge} ends beside ${node.id}`];
}

import type { Node } from '@xyflow/react';
import type { GraphNode, GraphView } from '../../../src/protocol/web/graph-view.ts';

export interface FlowNodeData extends Record<string, unknown> {
  readonly node: GraphNode;
  /** Of a lane: the state that its pool is. */
  readonly pool: string | null;
}

export type FlowNode = Node<FlowNodeData>;

/** The nodes for React Flow. Made again for a new layout only: what moves is looked up by each node itself. */
export function flowNodes({ nodes }: GraphView): FlowNode[] {
  const depths = new Map<string, number>();
  const states = new Map(nodes.map(({ id, state }) => [id, state]));
  return nodes.map((node) => {
    const depth = node.parent === null ? 0 : (depths.get(node.parent) ?? 0) + 1;
    depths.set(node.id, depth);
    return flowNode({ node, pool: states.get(node.parent ?? '') ?? null }, depth);
  });
}

/** Lines lie between what contains others and what does not (`graph.css`). */
const LEAVES = 1000;

function flowNode(data: FlowNodeData, depth: number): FlowNode {
  const { node } = data;
  const { id, x, y, width, height, inside } = node;
  return {
    id,
    type: node.kind === 'start' ? 'start' : inside === 'open' ? 'container' : 'box',
    position: { x, y },
    width,
    height,
    // All of it is known: nothing is to be measured.
    measured: { width, height },
    handles: [],
    zIndex: inside === 'open' ? depth : LEAVES,
    data,
  };
}

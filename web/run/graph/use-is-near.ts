import { useStore, type ReactFlowState } from '@xyflow/react';
import { useCallback } from 'react';
import type { GraphNode } from '../../../src/protocol/web/graph-view.ts';

/** Whether a node is in sight, or would be after a screen's way in any direction. What is far off need not be drawn in full. */
export function useIsNear(node: GraphNode): boolean {
  return useStore(useCallback(({ transform, width, height }) => isNear(node, { transform, width, height }), [node]));
}

type Place = Pick<GraphNode, 'x' | 'y' | 'width' | 'height'>;

export function isNear(node: Place, { transform, width, height }: Sight): boolean {
  const [left, top, zoom] = transform;
  const isBeside = (from: number, length: number, pane: number): boolean =>
    pane > 0 && from + length >= -pane && from <= 2 * pane;
  return (
    isBeside(node.x * zoom + left, node.width * zoom, width) &&
    isBeside(node.y * zoom + top, node.height * zoom, height)
  );
}

type Sight = Pick<ReactFlowState, 'transform' | 'width' | 'height'>;

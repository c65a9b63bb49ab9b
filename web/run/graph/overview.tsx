import { MiniMap } from '@xyflow/react';
import type { ReactNode } from 'react';
import type { FlowNode } from './flow-elements.ts';

/** All of a large picture, small: where one is in it. */
export function Overview(): ReactNode {
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

import { ViewportPortal } from '@xyflow/react';
import type { ReactNode } from 'react';
import type { GraphEdge } from '../../../src/protocol/web/graph-view.ts';
import { WayEdge } from './way-edge.tsx';

/**
 * All lines in one drawing of our own: they have their points already, and React Flow would look for handles on every node. They
 * lie above whatever contains them and below what they lead to.
 */
export function EdgeLayer({ edges, width, height }: Props): ReactNode {
  return (
    <ViewportPortal>
      <svg className="graph-edges" width={width} height={height} aria-hidden>
        {edges.map((edge) => (
          <WayEdge key={edge.id} edge={edge} />
        ))}
      </svg>
    </ViewportPortal>
  );
}

interface Props {
  readonly edges: readonly GraphEdge[];
  readonly width: number;
  readonly height: number;
}

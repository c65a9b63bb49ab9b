import { memo, type ReactNode } from 'react';
import { labelLines, LINE_HEIGHT } from '../../../src/protocol/graph/label-lines.ts';
import type { GraphEdge } from '../../../src/protocol/web/graph-view.ts';
import { isSameEdge, NOT_TAKEN } from '../../model/graph-edges.ts';
import { visibleText } from '../../ui/text.tsx';
import { useCanvas, useCanvasState } from './canvas-store.ts';
import { edgePath, tipPath } from './edge-path.ts';
import { useLive } from './use-live.ts';
import { ViewportPortal } from '@xyflow/react';

/** A transition: thin until it was taken, and in the page's own colour where the run came from last. */
const WayEdge = memo(function WayEdge({ edge }: { readonly edge: GraphEdge }): ReactNode {
  const { book } = useCanvas();
  const mark = useLive((tree) => book.mark(tree, edge), NOT_TAKEN, isSameEdge);
  const isNear = useCanvasState(({ hovered }) => hovered === edge.from || hovered === edge.to);
  return (
    <g
      className="graph-edge"
      data-edge={edge.id}
      data-last={mark.isLast}
      data-taken={mark.taken > 0}
      data-near={isNear}
      data-back={edge.isBack}
    >
      <title>{visibleText(edgeTitle(edge, mark.taken))}</title>
      <path className="graph-line" d={edgePath(edge.points)} />
      <path className="graph-tip" d={tipPath(edge.points)} />
      <EdgeLabel edge={edge} />
    </g>
  );
});

const edgeTitle = ({ label, condition, from, to }: GraphEdge, taken: number): string =>
  [
    label === '' ? `${from} → ${to}` : label,
    condition,
    taken === 0 ? '' : `taken ${taken === 1 ? 'once' : `${taken} times`}`,
  ]
    .filter((part) => part !== '')
    .join(' · ');

function EdgeLabel({ edge: { label, labelAt } }: { readonly edge: GraphEdge }): ReactNode {
  if (labelAt === null) return null;
  const { x, y, width, height } = labelAt;
  return (
    <>
      <rect className="graph-label-ground" x={x} y={y} width={width} height={height} rx={3} />
      <text className="graph-label">
        {labelLines(visibleText(label)).map((line, index) => (
          <tspan key={line} x={x + width / 2} y={y + 13 + index * LINE_HEIGHT}>
            {line}
          </tspan>
        ))}
      </text>
    </>
  );
}

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

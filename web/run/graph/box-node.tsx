import type { NodeProps } from '@xyflow/react';
import { memo, type ReactNode } from 'react';
import { classNames } from '../../ui/controls.tsx';
import { visibleText } from '../../ui/text.tsx';
import type { FlowNode } from './flow-elements.ts';
import { detailOf, FoldButton, NodeButton, NodeIcon, NodeMark, NodeProblem, useNode } from './node-button.tsx';
import { useIsNear } from './use-is-near.ts';

/** A state, or a unit of a pool. Out of sight it is only what can be reached and read aloud. */
export const BoxNode = memo(function BoxNode({ data }: NodeProps<FlowNode>): ReactNode {
  const { node } = data;
  const on = useNode(data);
  const isNear = useIsNear(node);
  const size = { width: node.width, height: node.height };
  if (!isNear) {
    return (
      <div className="graph-box" style={size}>
        <NodeButton node={node} on={on} className="graph-leaf">
          {visibleText(node.label)}
        </NodeButton>
      </div>
    );
  }
  return (
    <div className="graph-box" style={size}>
      <NodeButton
        node={node}
        on={on}
        className={classNames(
          'graph-leaf',
          node.kind === 'end' && 'graph-end',
          node.kind === 'lane' && 'graph-lane',
          node.inside === 'folded' && 'graph-folded',
        )}
      >
        {on.look.agent !== null && <span className="graph-hue" style={{ background: on.colour }} aria-hidden />}
        <NodeIcon kind={node.kind} colour={on.colour} />
        <span className="min-w-0 flex-1 text-left">
          <span className="block truncate leading-[18px] font-medium">{visibleText(node.label)}</span>{' '}
          {node.detail !== '' && (
            <span className="block truncate text-[12.5px] leading-[16px] text-muted">
              {visibleText(detailOf(node, on.look))}
            </span>
          )}
        </span>
      </NodeButton>
      {node.inside === 'folded' && <FoldButton node={node} />}
      <NodeMark look={on.look} />
      <NodeProblem node={node} />
    </div>
  );
});

/** Something whose inside is shown: a head, and a frame that lets the pointer through. */
export const ContainerNode = memo(function ContainerNode({ data }: NodeProps<FlowNode>): ReactNode {
  const { node } = data;
  const on = useNode(data);
  return (
    <div
      className="graph-frame"
      data-status={on.look.status}
      data-lane={node.kind === 'lane'}
      style={{ width: node.width, height: node.height }}
    >
      <NodeButton node={node} on={on} className="graph-head">
        <NodeIcon kind={node.kind} colour={on.colour} />
        <span className="truncate">
          <span className="mr-1 font-medium">{visibleText(node.label)}</span>{' '}
          <span className="text-[12.5px] text-muted">{visibleText(node.detail)}</span>
        </span>
      </NodeButton>
      <FoldButton node={node} />
      <NodeMark look={on.look} />
      <NodeProblem node={node} />
    </div>
  );
});

/** Where a run begins. */
export function StartNode(): ReactNode {
  return <div className="graph-start" aria-hidden />;
}

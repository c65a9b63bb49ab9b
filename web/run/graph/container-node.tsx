import type { NodeProps } from '@xyflow/react';
import { memo, type ReactNode } from 'react';
import { visibleText } from '../../ui/visible-text.ts';
import type { FlowNode } from './flow-elements.ts';
import { FoldButton, NodeButton } from './node-button.tsx';
import { NodeIcon } from './node-icon.tsx';
import { NodeMark } from './node-mark.tsx';
import { NodeProblem } from './node-problem.tsx';
import { useNode } from './use-node.ts';

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

import type { NodeProps } from '@xyflow/react';
import { memo, type ReactNode } from 'react';
import { classNames } from '../../ui/class-names.ts';
import { visibleText } from '../../ui/visible-text.ts';
import type { FlowNode } from './flow-elements.ts';
import { FoldButton, NodeButton } from './node-button.tsx';
import { NodeIcon } from './node-icon.tsx';
import { NodeMark } from './node-mark.tsx';
import { detailOf } from './node-name.ts';
import { NodeProblem } from './node-problem.tsx';
import { useIsNear } from './use-is-near.ts';
import { useNode } from './use-node.ts';

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

import { useAgentColour } from '../../ui/agent-name.tsx';
import { isSameLook, nodeLook, NO_LOOK, type NodeLook } from '../../model/node-look.ts';
import { useCanvasState } from './canvas-store.ts';
import type { FlowNodeData } from './flow-elements.ts';
import { useLive } from './use-live.ts';

/** All that a node looks at: it is drawn again only when one of these is another one. */
export function useNode({ node, pool }: FlowNodeData): NodeOnCanvas {
  const look = useLive((tree) => nodeLook(tree, node, pool), NO_LOOK, isSameLook);
  const agentColour = useAgentColour(look.agent ?? '');
  return {
    look,
    colour: look.agent === null ? 'var(--muted)' : agentColour,
    isSelected: useCanvasState(({ selected }) => selected === node.id),
    isReached: useCanvasState(({ focused }) => focused === node.id),
  };
}

export interface NodeOnCanvas {
  readonly look: NodeLook;
  readonly colour: string;
  readonly isSelected: boolean;
  readonly isReached: boolean;
}

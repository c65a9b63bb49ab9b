import { Minus, Plus } from 'lucide-react';
import type { KeyboardEvent, ReactNode } from 'react';
import type { GraphNode } from '../../../src/protocol/web/graph-view.ts';
import { classNames } from '../../ui/class-names.ts';
import { visibleText } from '../../ui/visible-text.ts';
import { useCanvas } from './canvas-store.ts';
import { nodeName } from './node-name.ts';
import type { NodeOnCanvas } from './use-node.ts';

interface Props {
  readonly node: GraphNode;
  readonly on: NodeOnCanvas;
  readonly className: string;
  readonly children: ReactNode;
}

/** The part of a node that is chosen, pointed at and read aloud. */
export function NodeButton({ node, on, className, children }: Props): ReactNode {
  const { store, select, toggle } = useCanvas();
  const { look, isSelected, isReached } = on;
  const canFold = toggle !== null && node.inside !== 'none';
  const fold = (event: KeyboardEvent): void => {
    if (!canFold || event.key !== 'Enter' || !event.shiftKey) return;
    event.preventDefault();
    toggle(node);
  };
  return (
    <button
      type="button"
      data-node={node.id}
      data-status={look.status}
      aria-label={visibleText(nodeName(node, look))}
      aria-pressed={isSelected}
      aria-keyshortcuts={canFold ? 'Shift+Enter' : undefined}
      tabIndex={isReached ? 0 : -1}
      title={look.failure === null ? undefined : visibleText(look.failure)}
      className={classNames('graph-node nodrag', className)}
      onClick={() => select(node)}
      onDoubleClick={() => (canFold ? toggle(node) : undefined)}
      onKeyDown={fold}
      onFocus={() => store.set({ focused: node.id })}
      onMouseEnter={() => store.set({ hovered: node.id })}
      onMouseLeave={() => store.set({ hovered: null })}
    >
      {children}
    </button>
  );
}

/** Shows or hides what is inside. */
export function FoldButton({ node }: { readonly node: GraphNode }): ReactNode {
  const { toggle } = useCanvas();
  if (toggle === null) return null;
  const isOpen = node.inside === 'open';
  const Icon = isOpen ? Minus : Plus;
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-label={`${isOpen ? 'Hide' : 'Show'} what is inside of ${visibleText(node.label)}`}
      aria-expanded={isOpen}
      className="graph-fold nodrag"
      onClick={() => toggle(node)}
    >
      <Icon size={12} aria-hidden />
    </button>
  );
}

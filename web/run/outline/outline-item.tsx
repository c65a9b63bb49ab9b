import { ChevronDown, ChevronRight } from 'lucide-react';
import { memo, type KeyboardEvent, type ReactNode } from 'react';
import { isSameLook, nodeLook, type NodeLook } from '../../model/node-look.ts';
import { useTree } from '../../model/use-run.ts';
import { AgentName, useAgentColour } from '../../ui/agent-name.tsx';
import { classNames } from '../../ui/class-names.ts';
import { visibleText } from '../../ui/visible-text.ts';
import { NodeIcon } from '../graph/node-icon.tsx';
import type { OutlineRow } from './outline-rows.ts';

interface Props {
  readonly row: OutlineRow;
  readonly isSelected: boolean;
  readonly isReached: boolean;
  readonly onChoose: (row: OutlineRow) => void;
  readonly onToggle: (row: OutlineRow) => void;
  readonly onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
}

export const OutlineItem = memo(function OutlineItem(props: Props): ReactNode {
  const { row, isSelected, isReached, onChoose, onToggle, onKeyDown } = props;
  const { node, pool, level } = row;
  const look = useTree((tree) => nodeLook(tree, node, pool), isSameLook);
  const isActive = look.status === 'active' || look.status === 'asks' || look.status === 'still';
  return (
    <div
      role="treeitem"
      aria-level={level}
      aria-expanded={node.inside === 'none' ? undefined : node.inside === 'open'}
      aria-selected={isSelected}
      aria-current={isActive ? 'step' : undefined}
      tabIndex={isReached ? 0 : -1}
      data-outline={node.id}
      onClick={() => onChoose(row)}
      onKeyDown={onKeyDown}
      className={classNames(
        'flex h-8 cursor-pointer items-center gap-2 border-l-2 pr-3 -outline-offset-2',
        isActive ? 'border-accent' : 'border-transparent',
        isSelected ? 'bg-accent-soft' : 'hover:bg-hover',
      )}
      style={{ paddingLeft: level * 16 - 8 }}
    >
      <Fold row={row} onToggle={onToggle} />
      <Words row={row} look={look} />
    </div>
  );
});

function Fold({ row, onToggle }: Pick<Props, 'row' | 'onToggle'>): ReactNode {
  if (row.node.inside === 'none') return <span className="w-4 shrink-0" />;
  const Icon = row.node.inside === 'open' ? ChevronDown : ChevronRight;
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-hidden
      className="grid size-4 shrink-0 place-items-center rounded-sm text-muted hover:text-text"
      onClick={(event) => {
        event.stopPropagation();
        onToggle(row);
      }}
    >
      <Icon size={14} />
    </button>
  );
}

function Words({ row: { node }, look }: { readonly row: OutlineRow; readonly look: NodeLook }): ReactNode {
  const colour = useAgentColour(look.agent ?? '');
  const about = look.inside === '' ? node.detail : look.inside;
  return (
    <>
      <NodeIcon kind={node.kind} colour={look.agent === null ? 'var(--muted)' : colour} />
      <span className={classNames('shrink-0 truncate', look.status === 'unvisited' ? 'text-muted' : 'font-medium')}>
        {visibleText(node.label)}
      </span>
      {look.agent === null ? (
        <span className="min-w-0 truncate text-sm text-muted">{visibleText(about)}</span>
      ) : (
        <span className="min-w-0 truncate text-sm">
          <AgentName agent={look.agent} />
        </span>
      )}
      <span className="ml-auto flex shrink-0 items-center gap-2 text-sm">
        {look.visits > 1 && <span className="num text-muted">{look.visits} visits</span>}
        <span className={TONES[look.status]} title={look.failure === null ? undefined : visibleText(look.failure)}>
          {look.word}
        </span>
      </span>
    </>
  );
}

const TONES: Readonly<Record<NodeLook['status'], string>> = {
  unvisited: 'text-muted',
  queued: 'text-muted',
  left: 'text-muted',
  active: 'text-accent font-medium',
  asks: 'text-warn font-medium',
  still: 'text-warn',
  ok: 'text-ok',
  partial: 'text-warn',
  bad: 'text-bad font-medium',
};

import { type KeyboardEvent, memo, type ReactNode, useCallback, useMemo, useState } from 'react';
import type { GraphNode, GraphView } from '../../../src/protocol/web/graph-view.ts';
import { Empty } from '../../ui/boxes.tsx';
import { useGraphView } from '../graph/use-graph-view.ts';
import { VisitsStrip } from '../graph/visits-strip.tsx';
import { outlineMove, type OutlineRow, outlineRows } from './outline-rows.ts';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { isSameLook, nodeLook, type NodeLook } from '../../model/graph-state.ts';
import { useRunStore, useTree } from '../../model/use-run.ts';
import { AgentName, useAgentColour } from '../../ui/marks.tsx';
import { classNames } from '../../ui/controls.tsx';
import { visibleText } from '../../ui/text.tsx';
import { NodeIcon } from '../graph/node-button.tsx';
import { useSelection } from '../../model/selection.ts';
import { selectedNode, selectionOf } from '../graph/selected-node.ts';

interface OutlineItemProps {
  readonly row: OutlineRow;
  readonly isSelected: boolean;
  readonly isReached: boolean;
  readonly onChoose: (row: OutlineRow) => void;
  readonly onToggle: (row: OutlineRow) => void;
  readonly onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
}

const OutlineItem = memo(function OutlineItem(props: OutlineItemProps): ReactNode {
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

function Fold({ row, onToggle }: Pick<OutlineItemProps, 'row' | 'onToggle'>): ReactNode {
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

export interface OutlineHands {
  readonly rows: readonly OutlineRow[];
  readonly selected: GraphNode | null;
  /** The row the Tab key reaches. */
  readonly reached: OutlineRow | undefined;
  readonly choose: (row: OutlineRow) => void;
  readonly onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
}

/** A tree as people with a keyboard know it: one row is reached, and keys continue from there. */
function useOutline(view: GraphView, toggle: (row: OutlineRow) => void): OutlineHands {
  const store = useRunStore();
  const [selection, select] = useSelection();
  const rows = useMemo(() => outlineRows(view), [view]);
  const [focused, setFocused] = useState<string | null>(null);
  const selected = selectedNode(view, selection, store.get().root);
  const reached = rows.find(({ node }) => node.id === (focused ?? selected?.id)) ?? rows[0];
  const choose = useCallback(
    (row: OutlineRow) => {
      setFocused(row.node.id);
      select(selectionOf(store.get(), row.node, row.pool));
    },
    [select, store],
  );
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const move = reached === undefined ? null : outlineMove(rows, reached, event.key);
    if (move === null || reached === undefined) return;
    event.preventDefault();
    if (move.kind === 'toggle') return toggle(reached);
    if (move.kind === 'choose') return choose(reached);
    const { id } = move.to.node;
    setFocused(id);
    event.currentTarget.parentElement?.querySelector<HTMLElement>(`[data-outline="${CSS.escape(id)}"]`)?.focus();
  };
  return { rows, selected, reached, choose, onKeyDown };
}

/** The same machine as the graph, as a tree: for users who cannot see a picture, or have no room for one. */
export function OutlineTree(): ReactNode {
  const { view, error, toggle } = useGraphView();
  if (view !== null) return <Outline view={view} onToggle={toggle} />;
  if (error !== null) return <Empty title="The outline cannot be shown" why={error.message} />;
  return <div className="grid flex-1 place-items-center text-muted">Reading the workflow …</div>;
}

interface OutlineTreeProps {
  readonly view: GraphView;
  readonly onToggle: (id: string) => void;
}

function Outline({ view, onToggle }: OutlineTreeProps): ReactNode {
  const toggle = useCallback((row: OutlineRow) => onToggle(row.node.id), [onToggle]);
  const { rows, selected, reached, choose, onKeyDown } = useOutline(view, toggle);
  return (
    <div className="flex min-h-0 flex-1 flex-col bg-surface">
      <div role="tree" aria-label="Outline of the run" className="min-h-0 flex-1 overflow-y-auto py-1 pr-1">
        {rows.map((row) => (
          <OutlineItem
            key={row.node.id}
            row={row}
            isSelected={selected?.id === row.node.id}
            isReached={reached === row}
            onChoose={choose}
            onToggle={toggle}
            onKeyDown={onKeyDown}
          />
        ))}
      </div>
      {selected !== null && <VisitsStrip node={selected} />}
    </div>
  );
}

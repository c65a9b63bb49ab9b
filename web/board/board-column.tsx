import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, type ReactNode } from 'react';
import type { Column, RunCard as Card } from '../../src/protocol/web/run-card.ts';
import { COLUMN_WORDS } from './column-words.ts';
import { RunCardView } from './run-card.tsx';
import type { BoardNow } from './use-board.ts';

interface Props {
  readonly column: Column;
  readonly now: BoardNow;
  /** Its title stands elsewhere. */
  readonly isBare?: boolean;
}

export function BoardColumnView({ column, now, isBare = false }: Props): ReactNode {
  const { cards, isRead, next } = now.board.columns[column];
  const { title, why } = COLUMN_WORDS[column];
  return (
    <section aria-labelledby={`column-${column}`} className="flex min-h-0 min-w-0 flex-1 flex-col">
      <h2
        id={`column-${column}`}
        className={isBare ? 'sr-only' : 'flex h-9 shrink-0 items-center gap-2 px-3 font-semibold'}
      >
        {title}
        <span className="num font-normal text-muted">{now.board.counts[column]}</span>
      </h2>
      {isRead && cards.length === 0 ? (
        <p className="px-3 py-2 text-sm text-muted">{why}</p>
      ) : (
        <Cards cards={cards} hasMore={next !== null} onMore={() => void now.store.more(column)} />
      )}
    </section>
  );
}

interface CardsProps {
  readonly cards: readonly Card[];
  readonly hasMore: boolean;
  readonly onMore: () => void;
}

function Cards({ cards, hasMore, onMore }: CardsProps): ReactNode {
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: cards.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 96,
    getItemKey: (index) => cards[index]?.run ?? index,
    overscan: 6,
    gap: 6,
  });
  const items = rows.getVirtualItems();
  const isNearEnd = (items.at(-1)?.index ?? 0) >= cards.length - 5;
  useEffect(() => {
    if (hasMore && isNearEnd) onMore();
  }, [hasMore, isNearEnd, onMore]);
  return (
    <div ref={scroller} className="min-h-0 flex-1 overflow-y-auto px-2 pt-0.5 pb-3 max-md:pt-2" tabIndex={-1}>
      <ul className="relative" style={{ height: rows.getTotalSize() }}>
        {items.map(({ key, index, start }) => {
          const card = cards[index];
          return (
            <li
              key={key}
              ref={rows.measureElement}
              data-index={index}
              className="absolute inset-x-0 top-0"
              style={{ transform: `translateY(${start}px)` }}
            >
              {card !== undefined && <RunCardView card={card} />}
            </li>
          );
        })}
      </ul>
    </div>
  );
}

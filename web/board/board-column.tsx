import type { BoardStore, Board } from './board.ts';
import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, type ReactNode, useEffect, useRef } from 'react';
import type { CardDetails, Column, RunCard as Card } from '../../src/protocol/web/run-card.ts';
import { Link } from '@tanstack/react-router';
import { TriangleAlert } from 'lucide-react';
import { totalTokens } from '../../src/core/model/usage.ts';
import { isAtRest, timeNow } from '../../src/core/fold/work-clock.ts';
import { sleepsUntil } from '../../src/protocol/status-word.ts';
import { cardMark, cardWord } from '../model/run-result.ts';
import { ArchiveAll } from './archive-all.tsx';
import { QuestionForm } from '../run/questions/question-form.tsx';
import { Badge, StatusMark } from '../ui/marks.tsx';
import { Money, Time, Tokens, Worked } from '../ui/figures.tsx';
import { visibleText } from '../ui/text.tsx';

export const COLUMN_WORDS: Readonly<Record<Column, { readonly title: string; readonly why: string }>> = {
  running: { title: 'Running', why: 'Nothing is at work now. Runs show here while a process drives them.' },
  'needs-you': { title: 'Needs you', why: 'No run waits for you. Questions, limits and stopped runs show here.' },
  ready: { title: 'Ready', why: 'No result waits. Runs that succeeded show here until their result is delivered.' },
  failed: { title: 'Failed', why: 'No run failed. Runs that failed, or whose result was refused, show here.' },
  done: { title: 'Done', why: 'No run is done. Runs whose result was delivered or discarded show here.' },
};

/** A run in a few lines; its questions can be answered here. */
const RunCardView = memo(function RunCard({ card }: { readonly card: Card }): ReactNode {
  const { run, title, workflow, details, damage } = card;
  return (
    <article className="relative rounded-md border border-line bg-surface px-3 py-2 focus-within:border-line-strong hover:border-line-strong">
      <Link
        to="/runs/$run"
        params={{ run }}
        data-card
        className="line-clamp-2 font-medium wrap-anywhere after:absolute after:inset-0 after:rounded-md"
      >
        {visibleText(title === '' ? run : title)}
      </Link>
      <div className="mt-0.5 flex min-w-0 items-center gap-2 text-sm text-muted">
        <StatusMark status={cardMark(card)} text={cardWord(card)} />
        <span className="min-w-0 truncate">{visibleText(workflow)}</span>
        {card.isArchived === true && <Badge>archived</Badge>}
        {details !== null && card.status !== 'settled' && (
          <span className="min-w-0 truncate font-mono text-xs" title="the state it is in">
            {visibleText(details.state)}
          </span>
        )}
      </div>
      {card.status === 'stopped' ? <Halted /> : <Agents details={details} />}
      <Trouble text={damage ?? details?.failure ?? ''} />
      <Figures card={card} />
      <Decisions card={card} />
      {details?.questions.map((question) => (
        <div key={question.id} className="relative z-10 mt-2 border-t border-line pt-2">
          <QuestionForm run={run} question={question} isShort />
        </div>
      ))}
    </article>
  );
});

/** What a person decides about a run that is over; the dialogs of its page ask first. */
function Decisions({ card: { run, status, result, isArchived } }: { readonly card: Card }): ReactNode {
  if (status !== 'settled') return null;
  const isOpen = result.state === 'waiting' || result.state === 'refused';
  const decisions = [
    ...(isOpen ? [DELIVER, DISCARD] : result.state === 'discarded' ? [KEEP] : []),
    isArchived === true ? UNARCHIVE : ARCHIVE,
  ];
  return (
    <div className="relative z-10 mt-1 flex gap-3 text-sm">
      {decisions.map(({ dialog, label }) => (
        <Link key={dialog} to="/runs/$run" params={{ run }} search={{ dialog }} className="text-accent hover:underline">
          {label}
        </Link>
      ))}
    </div>
  );
}

const DELIVER = { dialog: 'deliver', label: 'Deliver' };
const DISCARD = { dialog: 'discard', label: 'Discard' };
const KEEP = { dialog: 'discard', label: 'Undo discard' };
const ARCHIVE = { dialog: 'archive', label: 'Archive' };
const UNARCHIVE = { dialog: 'archive', label: 'Take out of the archive' };

function Agents({ details }: { readonly details: CardDetails | null }): ReactNode {
  if (details === null || details.agents.length === 0) return null;
  return <p className="truncate text-sm text-muted">{visibleText(details.agents.join(', '))}</p>;
}

function Halted(): ReactNode {
  return <p className="text-sm text-warn">No process drives it: resume it to go on.</p>;
}

function Trouble({ text }: { readonly text: string }): ReactNode {
  if (text === '') return null;
  return (
    <p className="mt-1 line-clamp-2 flex gap-1.5 text-sm wrap-anywhere text-bad">
      <TriangleAlert size={13} aria-hidden className="mt-0.5 shrink-0" />
      <span className="min-w-0">{visibleText(text)}</span>
    </p>
  );
}

function CardTime({ card, clock }: { readonly card: Card; readonly clock: CardDetails['clock'] }): ReactNode {
  const { driven: isDriven, updatedAt: lastAt } = card;
  const wakesAt = sleepsUntil(card.queued);
  const isOver = clock.endedAt !== null || !(isDriven || isAtRest(clock) || wakesAt !== undefined);
  return <Worked timeAt={(now) => timeNow(clock, { isDriven, now, lastAt, wakesAt })} until={isOver ? lastAt : null} />;
}

function Figures({ card }: { readonly card: Card }): ReactNode {
  const { details, startedAt } = card;
  return (
    <div className="mt-1 flex items-center gap-2.5 text-sm text-muted">
      <Time at={startedAt} />
      {details !== null && (
        <>
          <span title="how long it has worked">
            <CardTime card={card} clock={details.clock} />
          </span>
          <span>
            <Tokens count={totalTokens(details.usage)} /> tok
          </span>
          <span className="ml-auto">
            <Money usd={details.costUsd} />
          </span>
        </>
      )}
    </div>
  );
}

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
      <div className="flex shrink-0 items-center pr-2">
        <h2
          id={`column-${column}`}
          className={isBare ? 'sr-only' : 'flex h-9 min-w-0 items-center gap-2 px-3 font-semibold'}
        >
          {title}
          <span className="num font-normal text-muted">{now.board.counts[column]}</span>
        </h2>
        {(column === 'failed' || column === 'done') && <ArchiveAll cards={cards} />}
      </div>
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

export interface BoardNow {
  readonly board: Board;
  readonly failure: unknown;
  readonly store: BoardStore;
}

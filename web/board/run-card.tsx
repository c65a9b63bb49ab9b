import { Link } from '@tanstack/react-router';
import { TriangleAlert } from 'lucide-react';
import { memo, type ReactNode } from 'react';
import { totalTokens } from '../../src/core/usage.ts';
import { isAtRest, timeNow } from '../../src/core/work-clock.ts';
import type { CardDetails, RunCard as Card } from '../../src/protocol/web/run-card.ts';
import { cardMark, cardWord } from '../model/settled-word.ts';
import { QuestionForm } from '../run/questions/question-form.tsx';
import { Worked } from '../ui/duration.tsx';
import { Money } from '../ui/money.tsx';
import { StatusMark } from '../ui/status-mark.tsx';
import { Time } from '../ui/time.tsx';
import { Tokens } from '../ui/tokens.tsx';
import { visibleText } from '../ui/visible-text.ts';

/** A run in a few lines; its questions can be answered here. */
export const RunCardView = memo(function RunCard({ card }: { readonly card: Card }): ReactNode {
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
function Decisions({ card: { run, status, result } }: { readonly card: Card }): ReactNode {
  if (status !== 'settled') return null;
  const isOpen = result.state === 'waiting' || result.state === 'refused';
  const dialogs = [...(isOpen ? (['deliver', 'discard'] as const) : []), 'archive' as const];
  return (
    <div className="relative z-10 mt-1 flex gap-3 text-sm">
      {dialogs.map((dialog) => (
        <Link key={dialog} to="/runs/$run" params={{ run }} search={{ dialog }} className="text-accent hover:underline">
          {DECISIONS[dialog]}
        </Link>
      ))}
    </div>
  );
}

const DECISIONS = { deliver: 'Deliver', discard: 'Discard', archive: 'Archive' } as const;

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
  const isOver = clock.endedAt !== null || !(isDriven || isAtRest(clock));
  return <Worked timeAt={(now) => timeNow(clock, { isDriven, now, lastAt })} until={isOver ? lastAt : null} />;
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

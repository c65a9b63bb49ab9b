import { Check, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ReactElement } from 'react';
import { useSelection } from '../../model/selection.ts';
import { AgentName } from '../../ui/marks.tsx';
import { visibleText } from '../../ui/text.tsx';
import { EvidenceCell } from './compare-table.tsx';
import { SeverityMark } from './severity-mark.tsx';
import { useReview, type ShownReview } from './use-review.ts';
import { graveFindings, redImplementations, reviewSentence } from './review-reasons.ts';

/** Why a review failed, or may: what was red, and what grave things stand against the best. */
export function ReviewTrouble(): ReactNode {
  const review = useReview();
  if (review === null) return null;
  const { isGood, text } = reviewSentence(review);
  const Icon = isGood ? Check : TriangleAlert;
  return (
    <section aria-label="The review" className="flex flex-col gap-2 border-b border-line bg-surface px-4 py-3">
      <p className={`flex items-start gap-1.5 font-medium ${isGood ? 'text-ok' : 'text-warn'}`}>
        <Icon size={14} aria-hidden className="mt-[3px] shrink-0" />
        <span>{visibleText(text)}</span>
      </p>
      <Red review={review} />
      <Grave review={review} />
      <Dropped review={review} />
    </section>
  );
}

interface Props {
  readonly review: ShownReview;
}

function Red({ review: { compare } }: Props): ReactElement | null {
  const red = redImplementations(compare);
  if (red.length === 0) return null;
  return (
    <div>
      <h2 className="text-xs font-medium text-muted">
        Red when the engine ran {compare.verify === null ? 'it' : `“${compare.verify}”`}
      </h2>
      <ul className="flex flex-col gap-1 pt-1">
        {red.map(({ id, evidence, standing }) => (
          <li key={id} className="flex items-baseline gap-3">
            <AgentName agent={id} />
            <div className="min-w-0 flex-1">
              {evidence !== null && (
                <EvidenceCell evidence={evidence} isOpen={standing === 'unverified' || standing === 'unmerged'} />
              )}
            </div>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Grave({ review: { debate } }: Props): ReactElement | null {
  const [, select] = useSelection();
  const grave = graveFindings(debate);
  if (grave.length === 0) return null;
  return (
    <div>
      <h2 className="text-xs font-medium text-muted">Grave findings that stand or are open</h2>
      <ul className="pt-1">
        {grave.map(({ id, severity, claim, implementation, state, file, line }) => (
          <li key={id}>
            <button
              type="button"
              onClick={() => select({ tab: 'debate', finding: id })}
              className="flex w-full min-w-0 items-center gap-2 rounded-sm py-0.5 text-left hover:bg-hover"
            >
              <span className="font-mono text-sm">{id}</span>
              <SeverityMark severity={severity} />
              <span className="shrink-0 text-sm text-muted">
                {state}
                {implementation !== null && `, ${visibleText(implementation)}`}
              </span>
              <span className="truncate">{visibleText(claim)}</span>
              {file !== null && (
                <span className="ml-auto shrink-0 font-mono text-xs text-muted">
                  {visibleText(file)}
                  {line !== null && `:${line}`}
                </span>
              )}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Dropped({ review: { debate } }: Props): ReactElement | null {
  const out = debate.reviewers.flatMap(({ reviewer, out: reason }) =>
    reason === null ? [] : [{ id: reviewer, reason }],
  );
  const dropped = [...debate.lost, ...out];
  if (dropped.length === 0) return null;
  return (
    <div>
      <h2 className="text-xs font-medium text-muted">Fell out</h2>
      <ul className="pt-1">
        {dropped.map(({ id, reason }) => (
          <li key={id} className="flex items-center gap-2">
            <AgentName agent={id} /> <span className="min-w-0 wrap-anywhere">{visibleText(reason)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

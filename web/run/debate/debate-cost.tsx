import type { ReactNode } from 'react';
import { REVIEW_PARTS, type ReviewPart } from '../../../src/protocol/review/spending-view.ts';
import type { SpendingFigures } from '../../../src/protocol/operations/answers/spending.ts';
import type { DebateView } from '../../../src/protocol/review/debate-view.ts';
import { totalTokens } from '../../../src/core/usage.ts';
import { Duration } from '../../ui/duration.tsx';
import { Money } from '../../ui/money.tsx';
import { Tokens } from '../../ui/tokens.tsx';

const NAMES: Readonly<Record<ReviewPart, string>> = {
  implementations: 'Implementations',
  reviews: 'First reviews',
  debate: 'Debate',
  synthesis: 'Synthesis',
  revisions: 'Revisions',
  merge: 'Conflicts',
  other: 'Other',
};

/** What the review cost, by what it was spent on. */
export function DebateCost({ debate: { spending, debates } }: { readonly debate: DebateView }): ReactNode {
  const parts = REVIEW_PARTS.filter(
    (part) => spending.parts[part].turns > 0 || totalTokens(spending.parts[part].usage) > 0,
  );
  const most = Math.max(1e-9, ...parts.map((part) => spending.parts[part].knownCostUsd));
  const rounds = debates.reduce((sum, one) => sum + one.rounds, 0);
  return (
    <section aria-label="What it cost" className="px-4 py-3">
      <table className="w-full max-w-2xl border-collapse text-left text-sm [&_td]:py-0.5 [&_th]:py-0.5">
        <thead>
          <tr className="text-muted [&>th]:font-medium">
            <th scope="col">What it cost</th>
            <th scope="col" className="w-1/4">
              <span className="sr-only">Share</span>
            </th>
            <th scope="col" className="text-right">
              Turns
            </th>
            <th scope="col" className="text-right">
              Tokens
            </th>
            <th scope="col" className="text-right">
              Time
            </th>
            <th scope="col" className="text-right">
              Money
            </th>
          </tr>
        </thead>
        <tbody>
          {parts.map((part) => (
            <Part
              key={part}
              name={part === 'debate' ? `Debate (${rounds} rounds)` : NAMES[part]}
              spent={spending.parts[part]}
              most={most}
            />
          ))}
        </tbody>
      </table>
      {spending.paidBefore !== null && (
        <p className="pt-1 text-sm text-muted">What came before the fork was paid by {spending.paidBefore}.</p>
      )}
    </section>
  );
}

interface PartProps {
  readonly name: string;
  readonly spent: SpendingFigures;
  readonly most: number;
}

function Part({ name, spent: { turns, usage, ms, costUsd, knownCostUsd }, most }: PartProps): ReactNode {
  return (
    <tr>
      <th scope="row" className="font-normal">
        {name}
      </th>
      <td aria-hidden>
        <span
          className="block h-1.5 rounded-full bg-line-strong opacity-60"
          style={{ width: `${(knownCostUsd / most) * 100}%` }}
        />
      </td>
      <td className="num text-right">{turns}</td>
      <td className="text-right">
        <Tokens count={totalTokens(usage)} />
      </td>
      <td className="text-right">
        <Duration ms={ms} />
      </td>
      <td className="text-right">
        <Money usd={costUsd} />
      </td>
    </tr>
  );
}

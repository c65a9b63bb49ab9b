import type { ReactNode } from 'react';
import { costText, durationText } from '../../../src/core/amount-text.ts';
import { shortCount } from '../../../src/core/amount-text.ts';
import type { Budget } from './tree-totals.ts';

const WORDS = { tokens: 'tokens', usd: 'cost', durationMs: 'time', iterations: 'visits of one state' } as const;

const FORMATS = {
  tokens: shortCount,
  usd: costText,
  durationMs: durationText,
  iterations: String,
} as const;

/** How much of a limit is used; the words say it too. */
export function BudgetBar({ budget: { limit, used, allowed } }: { readonly budget: Budget }): ReactNode {
  const part = used === null || allowed === 0 ? null : Math.min(1, used / allowed);
  const tone = part === null || part < 0.75 ? 'bg-accent' : part < 0.95 ? 'bg-warn' : 'bg-bad';
  const format = FORMATS[limit];
  const text = `${used === null ? 'unknown' : format(used)} of ${format(allowed)}`;
  return (
    <div className="flex shrink-0 flex-col justify-center gap-0.5">
      <span className="num text-xs whitespace-nowrap">
        <span className="text-muted">{WORDS[limit]} </span>
        {text}
      </span>
      <span
        role="meter"
        aria-label={`Limit on ${WORDS[limit]}`}
        aria-valuemin={0}
        aria-valuemax={allowed}
        aria-valuenow={Math.min(used ?? 0, allowed)}
        aria-valuetext={text}
        className="block h-1 w-24 overflow-hidden rounded-full bg-hover"
      >
        <span className={`block h-full rounded-full ${tone}`} style={{ width: `${(part ?? 0) * 100}%` }} />
      </span>
    </div>
  );
}

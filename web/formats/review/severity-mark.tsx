import type { ReactNode } from 'react';
import type { Severity } from '../../../src/formats/review/rules/finding.ts';
import { Badge, type Tone } from '../../ui/marks.tsx';
import { Check, HelpCircle, RefreshCw, RotateCcw } from 'lucide-react';
import type { ReviewVerdict } from '../../../src/formats/review/rules/review.ts';

const TONES: Readonly<Record<Severity, Tone>> = { critical: 'bad', major: 'warn', minor: 'info', nit: 'neutral' };

export function SeverityMark({ severity, count }: { readonly severity: Severity; readonly count?: number }): ReactNode {
  return (
    <Badge tone={TONES[severity]}>
      {count === undefined ? '' : `${count} `}
      {severity}
    </Badge>
  );
}

const LOOKS: Readonly<
  Record<ReviewVerdict, { readonly tone: Tone; readonly words: string; readonly icon: typeof Check }>
> = {
  APPROVE: { tone: 'ok', words: 'approve', icon: Check },
  REVISE_BEST: { tone: 'warn', words: 'revise the best', icon: RotateCcw },
  REVISE_ALL: { tone: 'bad', words: 'revise all', icon: RefreshCw },
};

export function VerdictBadge({ verdict }: { readonly verdict: ReviewVerdict | null }): ReactNode {
  if (verdict === null)
    return (
      <Badge>
        <HelpCircle size={11} aria-hidden /> none
      </Badge>
    );
  const { tone, words, icon: Icon } = LOOKS[verdict];
  return (
    <Badge tone={tone}>
      <Icon size={11} aria-hidden /> {words}
    </Badge>
  );
}

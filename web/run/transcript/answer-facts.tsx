import type { ReactNode } from 'react';
import { durationText } from '../../../src/core/amount-text.ts';
import { totalTokens } from '../../../src/core/usage.ts';
import type { TranscriptAnswer } from '../../model/transcript-entry.ts';
import { shortCount } from '../../../src/core/amount-text.ts';
import { Money } from '../../ui/money.tsx';
import { visibleText } from '../../ui/visible-text.ts';

/** Which model answered, how long it took and what it cost. */
export function AnswerFacts({
  answer: { model, usage, costUsd, ms },
}: {
  readonly answer: TranscriptAnswer;
}): ReactNode {
  const { inputTokens, outputTokens, cacheReadTokens } = usage;
  const title = `${inputTokens} tokens in (${cacheReadTokens} from the cache), ${outputTokens} out, ${durationText(ms)}`;
  return (
    <span className="flex items-center gap-1.5 text-xs text-muted max-sm:hidden" title={title}>
      <span className="max-w-32 truncate">{visibleText(model)}</span>
      <span className="num">{shortCount(totalTokens(usage))}</span>
      <Money usd={costUsd} />
    </span>
  );
}

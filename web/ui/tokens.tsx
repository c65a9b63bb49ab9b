import type { ReactNode } from 'react';
import { cachedPercent, type Usage } from '../../src/core/usage.ts';
import { shortCount } from '../../src/core/amount-text.ts';

export function Tokens({ count }: { readonly count: number }): ReactNode {
  return (
    <span className="num whitespace-nowrap" title={`${count.toLocaleString('en-US')} tokens`}>
      {shortCount(count)}
    </span>
  );
}

/** What came from a provider's cache, and how much of the input that is. */
export function CachedTokens({ usage }: { readonly usage: Usage }): ReactNode {
  return (
    <>
      <Tokens count={usage.cacheReadTokens} />
      {usage.cacheReadTokens > 0 && (
        <span className="num text-muted" title="Of the tokens in">
          {' '}
          {cachedPercent(usage)}%
        </span>
      )}
    </>
  );
}

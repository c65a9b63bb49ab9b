import type { ReactNode } from 'react';
import { costText } from '../../src/core/amount-text.ts';
import type { CostUsd } from '../../src/core/usage.ts';

export function Money({ usd }: { readonly usd: CostUsd }): ReactNode {
  const title = usd === null ? 'At least one call had a model whose price is not known.' : `$${usd.toFixed(6)}`;
  return (
    <span className={`num whitespace-nowrap ${usd === null ? 'text-muted italic' : ''}`} title={title}>
      {costText(usd)}
    </span>
  );
}

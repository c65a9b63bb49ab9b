import type { ReactNode } from 'react';
import { knownCostText } from '../../../src/core/amount-text.ts';
import { Money } from '../../ui/money.tsx';
import type { SpentFigures } from '../../../src/protocol/history/history-fold.ts';

/** What is known of the cost, and that there is more where there is. */
export function SpentCost({ spent }: { readonly spent: SpentFigures }): ReactNode {
  const { costUsd, knownCostUsd, usage } = spent;
  if (costUsd !== null || knownCostUsd === 0 || usage.calls === 0)
    return <Money usd={usage.calls === 0 ? 0 : costUsd} />;
  return (
    <span className="num whitespace-nowrap" title="At least one call had a model whose price is not known.">
      {knownCostText(spent)}
    </span>
  );
}

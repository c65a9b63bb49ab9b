import type { ReactNode } from 'react';
import { formatMoney } from '../../ui/format.ts';
import { Money } from '../../ui/money.tsx';
import type { Spent } from './spending-fold.ts';

/** What is known of the cost, and that there is more where there is. */
export function SpentCost({ spent: { costUsd, knownCostUsd, usage } }: { readonly spent: Spent }): ReactNode {
  if (costUsd !== null || knownCostUsd === 0 || usage.calls === 0)
    return <Money usd={usage.calls === 0 ? 0 : costUsd} />;
  return (
    <span className="num whitespace-nowrap" title="At least one call had a model whose price is not known.">
      {formatMoney(knownCostUsd)} <span className="text-muted italic">+ unknown</span>
    </span>
  );
}

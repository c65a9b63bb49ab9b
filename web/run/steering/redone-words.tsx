import type { ReactNode } from 'react';
import { redoneFrom, type ForkPoint } from '../../model/fork-points.ts';
import { useTree } from '../../model/use-run.ts';
import { Money } from '../../ui/money.tsx';
import { visibleText } from '../../ui/visible-text.ts';

/** What was done since a step: that much is done again. */
export function RedoneWords({ point }: { readonly point: ForkPoint }): ReactNode {
  const { steps, costUsd, calls } = useTree(
    (tree) => redoneFrom(tree, point),
    (a, b) => a.calls === b.calls && a.steps.length === b.steps.length,
  );
  return (
    <p className="rounded-md bg-sunken px-2 py-1.5 text-sm text-muted">
      <span className="font-medium text-text">Done again:</span>{' '}
      {steps.map(({ state, count }) => `${visibleText(state)}${count > 1 ? ` ×${count}` : ''}`).join(', ')}
      {calls > 0 && (
        <span className="block">
          It took {calls === 1 ? 'one call' : `${calls} calls`} of a model, <Money usd={costUsd} />.
        </span>
      )}
    </p>
  );
}

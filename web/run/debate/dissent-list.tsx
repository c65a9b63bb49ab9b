import type { ReactNode } from 'react';
import type { Dissent } from '../../../src/core/review/ledger.ts';
import { useSelection } from '../../model/selection.ts';
import { AgentName } from '../../ui/agent-name.tsx';
import { visibleText } from '../../ui/visible-text.ts';
import { VerdictBadge } from './verdict-badge.tsx';

/** Who sees it differently, in what, and why. */
export function DissentList({ dissent }: { readonly dissent: readonly Dissent[] }): ReactNode {
  if (dissent.length === 0) return null;
  return (
    <details className="text-sm" open={dissent.length <= 3}>
      <summary className="cursor-default text-muted">
        {dissent.length} {dissent.length === 1 ? 'point' : 'points'} of dissent
      </summary>
      <ul className="flex flex-col gap-0.5 pt-1">
        {dissent.map((one, place) => (
          // The same reviewer may differ in more than one thing, and nothing moves.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={place} className="flex flex-wrap items-center gap-1.5">
            <AgentName agent={one.reviewer} />
            <Words dissent={one} />
          </li>
        ))}
      </ul>
    </details>
  );
}

function Words({ dissent }: { readonly dissent: Dissent }): ReactNode {
  const [, select] = useSelection();
  if (dissent.kind === 'verdict')
    return (
      <>
        says <VerdictBadge verdict={dissent.verdict} />
      </>
    );
  if (dissent.kind === 'ranking') return <span>ranks {visibleText(dissent.ranking.join(' > '))}</span>;
  return (
    <span>
      {dissent.stance === null ? 'said nothing of ' : `${dissent.stance}s on `}
      <button
        type="button"
        className="font-mono text-accent underline"
        onClick={() => select({ finding: dissent.finding })}
      >
        {dissent.finding}
      </button>
      {dissent.reason !== '' && `: ${visibleText(dissent.reason)}`}
    </span>
  );
}

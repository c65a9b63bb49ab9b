import type { ReactNode } from 'react';
import type { CompareView, ImplementationView } from '../../../src/protocol/review/compare-view.ts';
import { severityCounts } from '../../../src/protocol/review/fold-compare.ts';
import { AgentName } from '../../ui/agent-name.tsx';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Duration } from '../../ui/duration.tsx';
import { Money } from '../../ui/money.tsx';
import { visibleText } from '../../ui/visible-text.ts';
import { useSelection } from '../../model/selection.ts';
import { EvidenceCell } from './evidence-cell.tsx';
import { SeverityMark } from './severity-mark.tsx';

const STANDINGS: Readonly<Record<ImplementationView['standing'], Tone>> = {
  merged: 'ok',
  best: 'accent',
  unmerged: 'bad',
  unverified: 'bad',
  judged: 'neutral',
  aside: 'neutral',
  unreviewed: 'neutral',
  lost: 'bad',
  working: 'info',
};

/** Implementations side by side: what the engine saw, how large they are, what stands against them, their rank and their cost. */
export function CompareTable({ compare }: { readonly compare: CompareView }): ReactNode {
  const { implementations, verify } = compare;
  if (implementations.length === 0) return null;
  return (
    <section
      aria-label="Implementations side by side"
      className="overflow-x-auto border-b border-line py-2"
      tabIndex={0}
    >
      <table className="w-full border-collapse text-left">
        <thead>
          <tr className="text-sm text-muted">
            <th scope="col" className="py-1 pr-2 pl-4 font-medium">
              Rank
            </th>
            <th scope="col" className="px-2 py-1 font-medium">
              Implementation
            </th>
            <th scope="col" className="px-2 py-1 font-medium" title={verify ?? undefined}>
              {verify === null ? 'Evidence' : <code className="text-xs">{visibleText(verify)}</code>}
            </th>
            <th scope="col" className="px-2 py-1 font-medium">
              Size
            </th>
            <th scope="col" className="px-2 py-1 font-medium">
              Against it
            </th>
            <th scope="col" className="py-1 pr-4 pl-2 text-right font-medium">
              Cost
            </th>
          </tr>
        </thead>
        <tbody>
          {implementations.toSorted(byRank).map((one) => (
            <Row key={one.id} one={one} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

const byRank = (a: ImplementationView, b: ImplementationView): number =>
  (a.rank ?? Infinity) - (b.rank ?? Infinity) || 0;

function Row({ one }: { readonly one: ImplementationView }): ReactNode {
  const [, select] = useSelection();
  const { id, rank, points, standing, models, evidence, diff, findings, spending, lost, revisions } = one;
  const against = severityCounts(findings.against);
  return (
    <tr className="border-t border-line align-top">
      <td className="num py-1.5 pr-2 pl-4">{rank === null ? '–' : `${rank}.`}</td>
      <th scope="row" className="px-2 py-1.5 font-normal">
        <span className="flex flex-wrap items-center gap-1.5">
          <AgentName agent={id} />
          <Badge tone={STANDINGS[standing]}>{standing}</Badge>
        </span>
        <span className="block text-xs text-muted">
          {visibleText(models.join(', '))}
          {points !== null && ` · ${points} points`}
          {revisions > 0 && ` · revised ${revisions === 1 ? 'once' : `${revisions} times`}`}
        </span>
        {lost !== null && <span className="block text-sm text-bad">{visibleText(lost.reason ?? lost.outcome)}</span>}
      </th>
      <td className="px-2 py-1.5">
        {evidence === null ? <span className="text-muted">nothing was run</span> : <EvidenceCell evidence={evidence} />}
      </td>
      <td className="num px-2 py-1.5 text-sm whitespace-nowrap">
        {diff === null ? (
          <span className="text-muted">not known</span>
        ) : (
          <button
            type="button"
            className="hover:underline"
            title="Show its changes"
            onClick={() => select({ tab: 'changes', workspace: id, file: undefined })}
          >
            {diff.files} {diff.files === 1 ? 'file' : 'files'} <span className="text-ok">+{diff.added}</span>{' '}
            <span className="text-bad">−{diff.removed}</span>
          </button>
        )}
      </td>
      <td className="px-2 py-1.5">
        <span className="flex flex-wrap gap-1">
          {against.map(([severity, count]) => (
            <SeverityMark key={severity} severity={severity} count={count} />
          ))}
          {against.length === 0 && <span className="text-sm text-muted">nothing</span>}
          {findings.done > 0 && <span className="num text-sm text-muted">{findings.done} done</span>}
        </span>
      </td>
      <td className="py-1.5 pr-4 pl-2 text-right text-sm">
        <Money usd={spending.costUsd} />
        <span className="block text-xs text-muted">
          <Duration ms={spending.ms} />
        </span>
      </td>
    </tr>
  );
}

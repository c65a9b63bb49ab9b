import type { ReactNode } from 'react';
import type { CompareView, EvidenceView, ImplementationView } from '../../../src/formats/review/views/compare-view.ts';
import { severityCounts } from '../../../src/formats/review/views/fold-compare.ts';
import { AgentName, Badge, type Tone } from '../../ui/marks.tsx';
import { Duration, Money } from '../../ui/figures.tsx';
import { PlainText, visibleText } from '../../ui/text.tsx';
import { useSelection } from '../../model/selection.ts';
import { ScrollBox } from '../../ui/boxes.tsx';
import { SeverityMark } from './severity-mark.tsx';
import { Check, X } from 'lucide-react';

/** The result of the user's command; its output on unfolding. */
export function EvidenceCell({
  evidence,
  isOpen = false,
}: {
  readonly evidence: EvidenceView;
  readonly isOpen?: boolean;
}): ReactNode {
  const { isGreen, output, tampered } = evidence;
  const Icon = isGreen ? Check : X;
  return (
    <div className="flex flex-col gap-1">
      <details open={isOpen}>
        <summary className={`cursor-default text-sm ${isGreen ? 'text-ok' : 'text-bad'}`}>
          <Icon size={12} aria-hidden className="mr-1 inline align-[-1px]" />
          {isGreen ? 'green' : 'red'}, {visibleText(wordsOf(evidence))}
        </summary>
        <ScrollBox className="mt-1 max-h-72 max-w-xl overflow-auto rounded-md bg-sunken p-2" label="What it printed">
          <PlainText text={output === '' ? 'It printed nothing.' : output} />
        </ScrollBox>
      </details>
      {tampered.map(({ path, how }) => (
        <span key={path} className="text-sm text-bad">
          <code>{visibleText(path)}</code> {visibleText(how)}; yours was used instead
        </span>
      ))}
    </div>
  );
}

function wordsOf({ passed, failed, exitCode, problem, isGreen }: EvidenceView): string {
  const hasFailed = (failed ?? 0) > 0;
  const end = exitCode === null ? (problem ?? 'did not finish') : `exit code ${exitCode}`;
  const words = [
    ...(passed === null ? [] : [`${passed} passed`]),
    ...(hasFailed ? [`${failed} failed`] : []),
    // A count of passed tests does not say why the command failed.
    ...((isGreen && passed !== null) || hasFailed ? [] : [end]),
  ];
  return words.join(', ');
}

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
export function ImplementationTable({ compare }: { readonly compare: CompareView }): ReactNode {
  const { implementations, verify } = compare;
  if (implementations.length === 0) return null;
  return (
    <ScrollBox label="Implementations side by side" className="overflow-x-auto border-b border-line py-2">
      <table className="w-full border-collapse text-left">
        <thead>
          <tr className="text-sm text-muted [&>th]:px-2 [&>th]:py-1 [&>th]:font-medium">
            <th scope="col" className="pl-4!">
              Rank
            </th>
            <th scope="col">Implementation</th>
            <th scope="col">{verify === null ? 'Evidence' : <code className="text-xs">{visibleText(verify)}</code>}</th>
            <th scope="col">Size</th>
            <th scope="col">Against it</th>
            <th scope="col" className="pr-4! text-right">
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
    </ScrollBox>
  );
}

const byRank = (a: ImplementationView, b: ImplementationView): number =>
  (a.rank ?? Infinity) - (b.rank ?? Infinity) || 0;

interface OneProps {
  readonly one: ImplementationView;
}

function Row({ one }: OneProps): ReactNode {
  const { rank, evidence, spending } = one;
  return (
    <tr className="border-t border-line align-top">
      <td className="num py-1.5 pr-2 pl-4">{rank === null ? '–' : `${rank}.`}</td>
      <th scope="row" className="px-2 py-1.5 font-normal">
        <Name one={one} />
      </th>
      <td className="px-2 py-1.5">
        {evidence === null ? (
          <span className="text-sm text-muted">nothing was run</span>
        ) : (
          <EvidenceCell evidence={evidence} />
        )}
      </td>
      <td className="num px-2 py-1.5 text-sm whitespace-nowrap">
        <Size one={one} />
      </td>
      <td className="px-2 py-1.5">
        <Against one={one} />
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

function Name({ one: { id, standing, models, points, revisions, lost } }: OneProps): ReactNode {
  const facts = [
    models.join(', '),
    points === null ? '' : `${points} points`,
    revisions === 0 ? '' : revisions === 1 ? 'revised once' : `revised ${revisions} times`,
  ];
  return (
    <>
      <span className="flex flex-wrap items-center gap-1.5">
        <AgentName agent={id} />
        <Badge tone={STANDINGS[standing]}>{standing}</Badge>
      </span>
      <span className="block text-xs text-muted">{visibleText(facts.filter((text) => text !== '').join(' · '))}</span>
      {lost !== null && <span className="block text-sm text-bad">{visibleText(lost.reason ?? lost.outcome)}</span>}
    </>
  );
}

function Size({ one: { id, diff } }: OneProps): ReactNode {
  const [, select] = useSelection();
  if (diff === null) return <span className="text-muted">not known</span>;
  return (
    <button
      type="button"
      className="hover:underline"
      title="Show its changes"
      onClick={() => select({ tab: 'changes', workspace: id, file: undefined })}
    >
      {diff.files} {diff.files === 1 ? 'file' : 'files'} <span className="text-ok">+{diff.added}</span>{' '}
      <span className="text-bad">−{diff.removed}</span>
    </button>
  );
}

function Against({ one: { findings } }: OneProps): ReactNode {
  const against = severityCounts(findings.against);
  return (
    <span className="flex flex-wrap gap-1">
      {against.map(([severity, count]) => (
        <SeverityMark key={severity} severity={severity} count={count} />
      ))}
      {against.length === 0 && <span className="text-sm text-muted">nothing</span>}
      {findings.done > 0 && <span className="num text-sm text-muted">{findings.done} done</span>}
    </span>
  );
}

import { MessageSquareWarning } from 'lucide-react';
import { type ReactNode, useCallback } from 'react';
import { NOTE_BOX } from '../../run/changes/note-box.ts';
import type { ReviewFinding } from '../../../src/formats/review/rules/finding.ts';
import { AgentName, Badge, type Tone } from '../../ui/marks.tsx';
import { classNames } from '../../ui/controls.tsx';
import { visibleText } from '../../ui/text.tsx';
import type { RunFinding } from './findings-of.ts';
import { useSelection } from '../../model/selection.ts';
import { useTree } from '../../model/use-run.ts';

/** Leads from a line to where it was debated. */
function useShowFinding(): (shown: RunFinding) => void {
  const root = useTree((tree) => tree.root);
  const [, select] = useSelection();
  return useCallback(
    ({ run, finding }) => select({ tab: 'debate', run: run === root ? undefined : run, finding: finding.id }),
    [root, select],
  );
}

const TONES: Readonly<Record<ReviewFinding['severity'], Tone>> = {
  critical: 'bad',
  major: 'warn',
  minor: 'info',
  nit: 'neutral',
};

/** A reviewer's finding, under its line. */
export function FindingNote({ run, finding }: RunFinding): ReactNode {
  const show = useShowFinding();
  const { id, severity, by, claim, change, closed, line } = finding;
  const isDone = closed !== null && !closed.stands;
  return (
    <article aria-label={`Finding ${id}`} className={classNames(NOTE_BOX, isDone && 'border-dashed')}>
      <header className="mb-1 flex flex-wrap items-center gap-x-2 gap-y-0.5">
        <MessageSquareWarning size={14} aria-hidden className="text-muted" />
        <button
          type="button"
          className="font-mono text-sm font-medium text-accent underline"
          onClick={() => show({ run, finding })}
        >
          {visibleText(id)}
        </button>
        <Badge tone={TONES[severity]}>{severity}</Badge>
        <AgentName agent={by} />
        {line !== null && <span className="text-sm text-muted">line {line}, as it was reviewed</span>}
        <span className="flex-1" />
        <Closing closed={closed} />
      </header>
      <p className="whitespace-pre-wrap wrap-anywhere">{visibleText(claim)}</p>
      {change !== '' && (
        <p className="mt-1 whitespace-pre-wrap wrap-anywhere text-muted">
          <span className="font-medium">Wanted:</span> {visibleText(change)}
        </p>
      )}
    </article>
  );
}

const HOW: Readonly<Record<NonNullable<ReviewFinding['closed']>['how'], string>> = {
  agreed: 'agreed',
  evidence: 'settled by evidence',
  withdrawn: 'withdrawn',
  fixed: 'fixed',
};

function Closing({ closed }: Pick<ReviewFinding, 'closed'>): ReactNode {
  if (closed === null) return <Badge tone="accent">debated</Badge>;
  return <Badge tone={closed.stands ? 'warn' : 'ok'}>{closed.stands ? 'stands' : HOW[closed.how]}</Badge>;
}

/** Findings outside of the changed files. */
export function FindingsElsewhere({ findings }: { readonly findings: readonly RunFinding[] }): ReactNode {
  const show = useShowFinding();
  if (findings.length === 0) return null;
  return (
    <p className="shrink-0 border-b border-line px-3 py-1 text-sm text-muted">
      {findings.length === 1 ? 'One finding is' : `${findings.length} findings are`} about no file shown here:{' '}
      {findings.slice(0, 8).map((one) => (
        <button
          key={`${one.run} ${one.finding.id}`}
          type="button"
          className="mr-1.5 font-mono text-accent underline"
          onClick={() => show(one)}
        >
          {visibleText(one.finding.id)}
        </button>
      ))}
    </p>
  );
}

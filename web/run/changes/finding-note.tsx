import { MessageSquareWarning } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ReviewFinding } from '../../../src/core/review/finding.ts';
import { AgentName } from '../../ui/agent-name.tsx';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { classNames } from '../../ui/class-names.ts';
import { visibleText } from '../../ui/visible-text.ts';
import type { RunFinding } from './findings-of.ts';
import { NOTE_BOX } from './note-box.ts';
import { useShowFinding } from './use-show-finding.ts';

const TONES: Readonly<Record<ReviewFinding['severity'], Tone>> = {
  critical: 'bad',
  major: 'warn',
  minor: 'info',
  nit: 'neutral',
};

/** What a reviewer holds against a line, under it. */
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

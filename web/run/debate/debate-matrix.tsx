import { useEffect, useRef, type ReactNode } from 'react';
import type { FindingState } from '../../../src/core/review/open-findings.ts';
import type { DebateView, FindingView } from '../../../src/protocol/review/debate-view.ts';
import { AgentName } from '../../ui/agent-name.tsx';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { classNames } from '../../ui/class-names.ts';
import { visibleText } from '../../ui/visible-text.ts';
import { ScrollBox } from '../../ui/scroll-box.tsx';
import { SeverityMark } from './severity-mark.tsx';
import { StanceCell } from './stance-cell.tsx';
import { VerdictRows } from './verdict-rows.tsx';

interface Props {
  readonly debate: DebateView;
  readonly chosen: string | null;
  readonly onChoose: (finding: string) => void;
}

/** Findings down, reviewers across; in each field where the reviewer stands, round by round. */
export function DebateMatrix({ debate, chosen, onChoose }: Props): ReactNode {
  const { reviewers, findings } = debate;
  return (
    <ScrollBox label="Findings and where reviewers stand" className="overflow-x-auto border-b border-line">
      <table className="w-full border-collapse text-left">
        <thead>
          <tr className="border-b border-line text-sm">
            <th scope="col" className="sticky left-0 z-10 min-w-56 bg-bg py-1.5 pr-2 pl-4 font-medium text-muted">
              {findings.length === 0 ? 'No finding yet' : `${findings.length} findings`}
            </th>
            {reviewers.map(({ reviewer, models, out, isHollow }) => (
              <th key={reviewer} scope="col" className="min-w-32 px-2 py-1.5 align-bottom font-normal">
                <AgentName agent={reviewer} />
                <span className="block truncate text-xs text-muted">{visibleText(models.join(', '))}</span>
                {out !== null && <Badge tone="bad">out: {visibleText(out)}</Badge>}
                {isHollow && <Badge tone="warn">named no place</Badge>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {findings.map((finding) => (
            <Row
              key={finding.id}
              finding={finding}
              isChosen={finding.id === chosen}
              onChoose={() => onChoose(finding.id)}
            />
          ))}
        </tbody>
        <VerdictRows debate={debate} />
      </table>
    </ScrollBox>
  );
}

const STATES: Readonly<Record<FindingState, Tone>> = {
  open: 'warn',
  standing: 'bad',
  withdrawn: 'neutral',
  fixed: 'ok',
  refuted: 'neutral',
  resting: 'neutral',
};

interface RowProps {
  readonly finding: FindingView;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

function Row({ finding, isChosen, onChoose }: RowProps): ReactNode {
  const row = useRef<HTMLTableRowElement>(null);
  useEffect(() => {
    // The pane with what was said of it takes room below.
    if (isChosen) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isChosen]);
  const back = isChosen ? 'bg-accent-soft' : 'bg-bg';
  return (
    <tr ref={row} className={classNames('scroll-my-2 border-b border-line align-top last:border-b-0', back)}>
      <th scope="row" className={classNames('sticky left-0 z-10 p-0 font-normal', back)}>
        <button
          type="button"
          aria-pressed={isChosen}
          onClick={onChoose}
          className="flex w-full flex-col gap-0.5 py-1.5 pr-2 pl-4 text-left hover:bg-hover"
        >
          <FindingHead finding={finding} />
        </button>
      </th>
      {finding.stances.map((cell) => (
        <td key={cell.reviewer} className="px-2 py-1.5">
          <StanceCell cell={cell} finding={finding} onChoose={onChoose} />
        </td>
      ))}
    </tr>
  );
}

function FindingHead({ finding }: { readonly finding: FindingView }): ReactNode {
  const { id, severity, implementation, claim, state, file, line, isVerified } = finding;
  const isDone = state === 'withdrawn' || state === 'refuted' || state === 'fixed';
  return (
    <>
      <span className="flex flex-wrap items-center gap-1.5">
        <span className="font-mono text-sm font-medium">{id}</span>
        <SeverityMark severity={severity} />
        <Badge tone={STATES[state]}>{state}</Badge>
        {implementation !== null && <AgentName agent={implementation} />}
      </span>
      <span className={classNames('line-clamp-2', isDone && 'text-muted line-through decoration-line-strong')}>
        {visibleText(claim)}
      </span>
      {file !== null && (
        <span className="truncate font-mono text-xs text-muted">
          {visibleText(file)}
          {line !== null && `:${line}`}
          {!isVerified && ' (not found there)'}
        </span>
      )}
    </>
  );
}

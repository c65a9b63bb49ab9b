import { type ReactNode, useEffect, useRef } from 'react';
import type { FindingState } from '../../../src/formats/review/rules/open-findings.ts';
import type { DebateView, FindingView, VerdictView } from '../../../src/formats/review/views/debate-view.ts';
import { AgentName, Badge, type Tone } from '../../ui/marks.tsx';
import { classNames, Tooltip } from '../../ui/controls.tsx';
import { visibleText } from '../../ui/text.tsx';
import { ScrollBox } from '../../ui/boxes.tsx';
import { SeverityMark, VerdictBadge } from './severity-mark.tsx';
import { Check, PenLine, RefreshCcwDot, SearchCheck, Undo2, Wrench, X } from 'lucide-react';
import type { Stance } from '../../../src/formats/review/rules/ledger.ts';
import type { MatrixCell } from '../../../src/formats/review/rules/matrix.ts';
import type { StanceKind } from '../../../src/formats/review/rules/position.ts';
import { roundName } from '../../../src/formats/review/rules/round-name.ts';
import { hasChanged, isTakenBack, shortRound } from './stance-history.ts';

interface Look {
  readonly icon: typeof Check;
  readonly tone: string;
  readonly word: string;
}

const STANCES: Readonly<Record<StanceKind, Look>> = {
  agree: { icon: Check, tone: 'text-ok', word: 'agrees' },
  disagree: { icon: X, tone: 'text-bad', word: 'disagrees' },
  fixed: { icon: Wrench, tone: 'text-muted', word: 'says fixed' },
  revise: { icon: PenLine, tone: 'text-warn', word: 'in other words' },
};
const TAKEN_BACK: Look = { icon: Undo2, tone: 'text-muted', word: 'took it back' };

function lookOf(stance: Stance, finding: FindingView): Look {
  return isTakenBack(stance, finding) ? TAKEN_BACK : STANCES[stance.stance];
}

interface StanceCellProps {
  readonly cell: MatrixCell;
  readonly finding: FindingView;
  readonly onChoose: () => void;
}

/** A reviewer's stance on one finding, round by round; changes are marked, with the reason on hover. */
function StanceCell({ cell, finding, onChoose }: StanceCellProps): ReactNode {
  const { said, isAuthor } = cell;
  if (said.length === 0 && !isAuthor) return <span className="text-sm text-muted">said nothing</span>;
  return (
    <Tooltip text={<Reasons cell={cell} finding={finding} />} side="left">
      <button type="button" onClick={onChoose} className="flex flex-col gap-0.5 rounded-sm text-left text-sm">
        {isAuthor && (
          <span className="flex items-center gap-1 text-muted">
            <SearchCheck size={12} aria-hidden /> found it
          </span>
        )}
        {said.map((stance) => {
          const { icon: Icon, tone, word } = lookOf(stance, finding);
          return (
            <span key={`${stance.debate} ${stance.round}`} className={`flex items-center gap-1 ${tone}`}>
              <span className="num shrink-0 text-xs whitespace-nowrap text-muted" title={roundName(stance)}>
                {shortRound(stance)}
              </span>
              <Icon size={12} aria-hidden className="shrink-0" />
              {word}
            </span>
          );
        })}
        {hasChanged(said, finding) && (
          <span className="flex items-center gap-1 font-medium text-info">
            <RefreshCcwDot size={12} aria-hidden /> changed its mind
          </span>
        )}
      </button>
    </Tooltip>
  );
}

function Reasons({
  cell: { said, reviewer },
  finding,
}: {
  readonly cell: MatrixCell;
  readonly finding: FindingView;
}): ReactNode {
  if (said.length === 0) return `${reviewer} found it and has not commented since.`;
  return (
    <span className="flex flex-col gap-1">
      {said.map((stance) => (
        <span key={`${stance.debate} ${stance.round}`}>
          <span className="text-muted">
            {roundName(stance)}: {lookOf(stance, finding).word}
            {stance.wording < finding.earlier.length && ' (of an earlier version)'}.
          </span>{' '}
          {visibleText(stance.reason === '' ? 'No reason was given.' : stance.reason)}
        </span>
      ))}
    </span>
  );
}

/** The overall verdict of each reviewer, round by round. */
function VerdictRows({ debate: { rounds, reviewers } }: { readonly debate: DebateView }): ReactNode {
  if (rounds.length === 0) return null;
  return (
    <tbody className="border-t border-line-strong">
      {rounds.map((round) => (
        <tr key={`${round.debate} ${round.round}`} className="align-top">
          <th scope="row" className="sticky left-0 z-10 bg-bg py-1 pr-2 pl-4 text-sm font-normal text-muted">
            Verdict, {roundName(round)}
          </th>
          {reviewers.map(({ reviewer }) => (
            <td key={reviewer} className="px-2 py-1">
              <Said verdict={round.verdicts.find((one) => one.reviewer === reviewer)} />
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  );
}

function Said({ verdict }: { readonly verdict: VerdictView | undefined }): ReactNode {
  if (verdict === undefined) return <span className="text-sm text-muted">–</span>;
  if (verdict.isHidden)
    return (
      <Tooltip text="Given, and shown when all have spoken in this round.">
        <button type="button" className="cursor-default rounded-sm">
          <Badge>sealed</Badge>
        </button>
      </Tooltip>
    );
  const { summary, ranking, flaws = [] } = verdict;
  const words = [
    summary,
    ranking.length > 0 ? `Ranks ${ranking.join(' > ')}.` : 'Gives no ranking.',
    ...flaws.map((flaw) => `Refused once, and still wrong: ${flaw}`),
  ].filter((text) => text !== '');
  return (
    <Tooltip text={visibleText(words.join(' '))} side="left">
      <button type="button" className="cursor-default rounded-sm">
        <VerdictBadge verdict={verdict.verdict} />
        {flaws.length > 0 && <Badge>faulty</Badge>}
      </button>
    </Tooltip>
  );
}

interface DebateMatrixProps {
  readonly debate: DebateView;
  readonly chosen: string | null;
  readonly onChoose: (finding: string) => void;
}

/** Findings down, reviewers across; in each field where the reviewer stands, round by round. */
export function DebateMatrix({ debate, chosen, onChoose }: DebateMatrixProps): ReactNode {
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

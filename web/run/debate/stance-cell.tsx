import { Check, PenLine, RefreshCcwDot, SearchCheck, Undo2, Wrench, X } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Stance } from '../../../src/core/review/ledger.ts';
import type { MatrixCell } from '../../../src/core/review/matrix.ts';
import type { StanceKind } from '../../../src/core/review/position.ts';
import type { FindingView } from '../../../src/protocol/review/debate-view.ts';
import { Tooltip } from '../../ui/tooltip.tsx';
import { visibleText } from '../../ui/visible-text.ts';
import { roundName } from '../../../src/core/review/round-name.ts';
import { hasChanged, isTakenBack, shortRound } from './stance-history.ts';

interface Look {
  readonly icon: typeof Check;
  readonly tone: string;
  readonly word: string;
}

const STANCES: Readonly<Record<StanceKind, Look>> = {
  agree: { icon: Check, tone: 'text-ok', word: 'agrees' },
  disagree: { icon: X, tone: 'text-bad', word: 'disagrees' },
  fixed: { icon: Wrench, tone: 'text-muted', word: 'says it is fixed' },
  revise: { icon: PenLine, tone: 'text-warn', word: 'in other words' },
};
const TAKEN_BACK: Look = { icon: Undo2, tone: 'text-muted', word: 'took it back' };

function lookOf(stance: Stance, finding: FindingView): Look {
  return isTakenBack(stance, finding) ? TAKEN_BACK : STANCES[stance.stance];
}

interface Props {
  readonly cell: MatrixCell;
  readonly finding: FindingView;
  readonly onChoose: () => void;
}

/** Where one reviewer stands on one finding, round by round; who changed its mind is marked, and why is told when pointed at. */
export function StanceCell({ cell, finding, onChoose }: Props): ReactNode {
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
  if (said.length === 0) return `${reviewer} found it and said nothing of it since.`;
  return (
    <span className="flex flex-col gap-1">
      {said.map((stance) => (
        <span key={`${stance.debate} ${stance.round}`}>
          <span className="text-muted">
            {roundName(stance)}: {lookOf(stance, finding).word}
            {stance.wording < finding.earlier.length && ' (of earlier words)'}.
          </span>{' '}
          {visibleText(stance.reason === '' ? 'No reason was given.' : stance.reason)}
        </span>
      ))}
    </span>
  );
}

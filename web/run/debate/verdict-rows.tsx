import type { ReactNode } from 'react';
import type { DebateView, VerdictView } from '../../../src/protocol/review/debate-view.ts';
import { Badge } from '../../ui/badge.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import { visibleText } from '../../ui/visible-text.ts';
import { roundName } from '../../../src/core/review/round-name.ts';
import { VerdictBadge } from './verdict-badge.tsx';

/** What each reviewer said of all in all, round by round. */
export function VerdictRows({ debate: { rounds, reviewers } }: { readonly debate: DebateView }): ReactNode {
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

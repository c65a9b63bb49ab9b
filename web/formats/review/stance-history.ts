import type { Stance } from '../../../src/formats/review/rules/ledger.ts';
import type { FindingView } from '../../../src/formats/review/views/debate-view.ts';

/** Where a reviewer came to another mind about a finding, and why. */
export interface Turnabout {
  readonly from: Stance['stance'];
  readonly to: Stance;
}

export function turnabouts(said: readonly Stance[]): readonly Turnabout[] {
  return said.flatMap((now, place) => {
    const before = said[place - 1];
    const isSame = before === undefined || before.stance === now.stance || before.debate !== now.debate;
    return isSame ? [] : [{ from: before.stance, to: now }];
  });
}

type Found = Pick<FindingView, 'by'>;

/** The author of a finding holds it from the start, so taking it back is a change of mind. */
export const hasChanged = (said: readonly Stance[], finding: Found): boolean =>
  turnabouts(said).length > 0 || said.some((stance) => isTakenBack(stance, finding));

export const isTakenBack = ({ stance, reviewer }: Stance, { by }: Found): boolean =>
  stance === 'disagree' && reviewer === by;

/** `R1`; of final reviews `final R1`, `final 2 R1`. */
export const shortRound = ({ debate, round }: { readonly debate: number; readonly round: number }): string =>
  `${debate > 1 ? 'final ' : ''}${debate > 2 ? `${debate - 1} ` : ''}R${round}`;

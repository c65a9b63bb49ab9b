import type { Stance } from '../../../src/core/review/ledger.ts';

/** Where a reviewer came to another mind about a finding, and why. */
export interface Turnabout {
  readonly from: Stance['stance'];
  readonly to: Stance;
}

export function turnabouts(said: readonly Stance[]): readonly Turnabout[] {
  return said.flatMap((now, place) => {
    const before = said[place - 1];
    return before === undefined || before.stance === now.stance ? [] : [{ from: before.stance, to: now }];
  });
}

/** The author of a finding holds it from the start: to take it back is to change its mind. */
export const hasChanged = (said: readonly Stance[], isAuthor: boolean): boolean =>
  turnabouts(said).length > 0 || (isAuthor && said.some(({ stance }) => stance === 'disagree'));

export const roundName = ({ debate, round }: { readonly debate: number; readonly round: number }): string => {
  const name = round === 0 ? 'first review' : `round ${round}`;
  return debate > 1 ? `final review ${debate - 1}, ${name}` : name;
};

/** `R1`; of a final review `F1 R1`. */
export const shortRound = ({ debate, round }: { readonly debate: number; readonly round: number }): string =>
  `${debate > 1 ? `F${debate - 1} ` : ''}R${round}`;

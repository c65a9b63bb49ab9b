import type { ReviewFinding } from './finding.ts';
import type { Ledger, Spoken, Stance } from './ledger.ts';
import { isAgainst } from './position.ts';

/** A reviewer's last stance on a finding in this debate. The author of a finding agrees with it. */
export function lastStance(ledger: Ledger, finding: ReviewFinding, reviewer: string): Stance | null {
  return stancesOf(ledger, finding, reviewer).at(-1) ?? authorship(ledger, finding, reviewer);
}

/** All it said on a finding in this debate, in order. */
export const stancesOf = ({ stances, debate }: Ledger, { id }: ReviewFinding, reviewer: string): readonly Stance[] =>
  (byFinding(stances).get(id) ?? []).filter((one) => one.reviewer === reviewer && one.debate === debate);

/** Asked once for every finding and reviewer after each change, so a list is sorted by findings only once. */
export function byFinding(stances: readonly Stance[]): ReadonlyMap<string, readonly Stance[]> {
  const known = SORTED.get(stances);
  if (known !== undefined) return known;
  const sorted = Map.groupBy(stances, ({ finding }) => finding);
  SORTED.set(stances, sorted);
  return sorted;
}

const SORTED = new WeakMap<readonly Stance[], ReadonlyMap<string, readonly Stance[]>>();

/** After a revision no reviewer has a stance yet, not even the author. */
function authorship({ debate }: Ledger, finding: ReviewFinding, reviewer: string): Stance | null {
  if (finding.by !== reviewer || finding.debate !== debate) return null;
  const { id, round } = finding;
  return { finding: id, reviewer, debate, round, stance: 'agree', reason: '', wording: 0 };
}

/** A reviewer's last statement in this debate. */
export const lastSpoken = ({ positions, debate }: Ledger, reviewer: string): Spoken | undefined =>
  positions.findLast((one) => one.reviewer === reviewer && one.debate === debate);

/** How many had spoken before this statement: later ones have a higher number. */
export const momentOf = ({ positions }: Ledger, said: Pick<Spoken, 'reviewer' | 'debate' | 'round'>): number =>
  positions.findIndex(
    (one) => one.reviewer === said.reviewer && one.debate === said.debate && one.round === said.round,
  );

/** Whether it holds that the finding stands, as it reads now. */
export function upholds(ledger: Ledger, finding: ReviewFinding, reviewer: string): boolean {
  const last = lastStance(ledger, finding, reviewer);
  return last !== null && !isAgainst(last.stance) && last.wording === finding.earlier.length;
}

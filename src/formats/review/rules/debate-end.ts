import { dissentOf } from './dissent.ts';
import { lastSpoken, stancesOf } from './last-stance.ts';
import { isRoundOver, liveReviewers, type Convergence, type Ledger, type Stance } from './ledger.ts';
import { openFindings } from './open-findings.ts';
import type { ReviewVerdict } from './review.ts';

/** The result of the debate. Only evaluated when all have spoken in a round; a single reviewer is no agreement. */
export function convergence(ledger: Ledger): Convergence {
  const kind = kindOf(ledger);
  if (kind === 'open') return { kind, verdict: null, dissent: [] };
  const verdict = kind === 'consensus' || kind === 'single' ? commonVerdict(ledger) : null;
  return { kind, verdict, dissent: dissentOf(ledger, verdict) };
}

function kindOf(ledger: Ledger): Convergence['kind'] {
  const live = liveReviewers(ledger);
  const [alone] = live;
  if (alone === undefined) return 'nobody';
  if (live.length === 1) return lastSpoken(ledger, alone) === undefined ? 'open' : 'single';
  if (!isRoundOver(ledger)) return 'open';
  if (commonVerdict(ledger) !== null && openFindings(ledger).length === 0) return 'consensus';
  if (isStill(ledger)) return 'stalemate';
  return ledger.round >= ledger.maxRounds ? 'last-round' : 'open';
}

/** The last verdict of all participants; null if one of them differs or is silent. */
function commonVerdict(ledger: Ledger): ReviewVerdict | null {
  const verdicts = new Set(liveReviewers(ledger).map((reviewer) => lastSpoken(ledger, reviewer)?.verdict ?? null));
  const [verdict = null] = verdicts;
  return verdicts.size === 1 ? verdict : null;
}

/**
 * Whether nothing changed in this round: no finding was added or closed, no test ran, and no reviewer left or changed a stance or a
 * verdict.
 */
function isStill(ledger: Ledger): boolean {
  const { debate, round, findings, tests, out, stances } = ledger;
  if (round === 0) return false;
  const isNow = (one: { readonly debate: number; readonly round: number } | null): boolean =>
    one !== null && one.debate === debate && one.round === round;
  const hasMoved =
    findings.some((finding) => isNow(finding) || isNow(finding.closed)) ||
    tests.some(isNow) ||
    out.some(isNow) ||
    stances.some((stance) => isNow(stance) && isChange(ledger, stance));
  return !hasMoved && liveReviewers(ledger).every((reviewer) => keepsVerdict(ledger, reviewer));
}

function isChange(ledger: Ledger, stance: Stance): boolean {
  const finding = ledger.findings.find(({ id }) => id === stance.finding);
  if (finding === undefined) return false;
  const before = stancesOf(ledger, finding, stance.reviewer).at(-2);
  if (before !== undefined) return before.stance !== stance.stance || before.wording !== stance.wording;
  const isOwn = finding.by === stance.reviewer && finding.debate === ledger.debate;
  return !(isOwn && stance.stance === 'agree' && stance.wording === 0);
}

function keepsVerdict({ positions, debate }: Ledger, reviewer: string): boolean {
  const said = positions.filter((one) => one.reviewer === reviewer && one.debate === debate);
  const [before, last] = said.slice(-2);
  return before !== undefined && last !== undefined && before.verdict === last.verdict;
}

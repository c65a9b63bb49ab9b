import type { Closing, ReviewFinding } from './finding.ts';
import { lastSpoken, lastStance, momentOf, stancesOf, upholds } from './last-stance.ts';
import { liveReviewers, type Ledger, type Stance } from './ledger.ts';
import { isAgainst } from './position.ts';

/**
 * Closes the findings that the reviewers agree on. A single reviewer cannot close a finding: with fewer than two left nothing is
 * agreed on. The engine's findings are never open, so reviewers cannot close them.
 */
export function closeFindings(ledger: Ledger): Ledger {
  const live = liveReviewers(ledger);
  if (live.length < 2) return ledger;
  const findings = ledger.findings.map((finding) => {
    const closed = finding.closed ?? closingOf(ledger, finding, live);
    return closed === finding.closed ? finding : { ...finding, closed };
  });
  return { ...ledger, findings };
}

function closingOf(ledger: Ledger, finding: ReviewFinding, live: readonly string[]): Closing | null {
  const { debate, round } = ledger;
  if (live.every((reviewer) => upholds(ledger, finding, reviewer))) {
    const reason = `${live.join(', ')} agree that it stands.`;
    return { how: 'agreed', stands: true, debate, round, reason };
  }
  if (!isLetGo(ledger, finding, live)) return null;
  const how = isFixed(ledger, finding, live) ? 'fixed' : 'withdrawn';
  return { how, stands: false, debate, round, reason: withdrawalReason(ledger, finding) };
}

/** Its author took it back and no other holds on to it; when the author is out, all others must have said no. */
function isLetGo(ledger: Ledger, finding: ReviewFinding, live: readonly string[]): boolean {
  const withdrawal = withdrawalOf(ledger, finding);
  if (withdrawal !== null)
    return live.every((one) => one === finding.by || letsGo(ledger, finding, { one, withdrawal }));
  if (live.includes(finding.by)) return false;
  return live.every((reviewer) => isAgainst(lastStance(ledger, finding, reviewer)?.stance));
}

/** A reviewer says so, and the revision changed what the finding names. */
const isFixed = (ledger: Ledger, finding: ReviewFinding, live: readonly string[]): boolean =>
  finding.isTouched !== false && live.some((reviewer) => lastStance(ledger, finding, reviewer)?.stance === 'fixed');

/** The moment from which on the author no longer holds it. Saying so again is no new moment: an objection is not overtaken by it. */
function withdrawalOf(ledger: Ledger, finding: ReviewFinding): Stance | null {
  const said = stancesOf(ledger, finding, finding.by);
  const held = said.findLastIndex(({ stance }) => !isAgainst(stance));
  return said[held + 1] ?? null;
}

/** It says no as well, or had its turn after the withdrawal and did not object. */
function letsGo(
  ledger: Ledger,
  finding: ReviewFinding,
  { one, withdrawal }: { readonly one: string; readonly withdrawal: Stance },
): boolean {
  const last = lastStance(ledger, finding, one);
  if (isAgainst(last?.stance)) return true;
  const moment = momentOf(ledger, withdrawal);
  if (last !== null && momentOf(ledger, last) > moment) return false;
  const spoken = lastSpoken(ledger, one);
  return spoken !== undefined && momentOf(ledger, spoken) > moment;
}

function withdrawalReason(ledger: Ledger, finding: ReviewFinding): string {
  const withdrawal = withdrawalOf(ledger, finding);
  if (withdrawal === null) return `Its author ${finding.by} is out, and no other reviewer holds it.`;
  const why = withdrawal.reason === '' ? '' : `: ${withdrawal.reason}`;
  const what = withdrawal.stance === 'fixed' ? 'says it is fixed' : 'took it back';
  return `${finding.by} ${what}, and no other reviewer holds it${why}`;
}

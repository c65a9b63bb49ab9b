import { SEVERITIES, type ReviewFinding } from './finding.ts';
import { findingSentence } from './finding-text.ts';
import { lastStance } from './last-stance.ts';
import { liveReviewers, type Ledger } from './ledger.ts';
import { stateOf } from './open-findings.ts';
import { isAgainst } from './position.ts';

export interface FindingsFor {
  /** Standing and unsettled findings, most urgent first. */
  readonly findings: readonly ReviewFinding[];
  /** The same for the implementer to read; empty when there is nothing. */
  readonly text: string;
}

/** The findings against an implementer's work. Those without agreement are marked. */
export function findingsFor(ledger: Ledger, implementation: string): FindingsFor {
  const findings = ledger.findings
    .filter((finding) => finding.implementation === implementation || finding.implementation === null)
    .filter((finding) => ['standing', 'open'].includes(stateOf(ledger, finding)))
    .sort(byUrgency);
  return { findings, text: findings.map((finding) => orderText(ledger, finding)).join('\n') };
}

const byUrgency = (left: ReviewFinding, right: ReviewFinding): number =>
  left.priority - right.priority || SEVERITIES.indexOf(left.severity) - SEVERITIES.indexOf(right.severity);

function orderText(ledger: Ledger, finding: ReviewFinding): string {
  const against = liveReviewers(ledger).flatMap((reviewer) => {
    const last = lastStance(ledger, finding, reviewer);
    return finding.closed === null && last !== null && isAgainst(last.stance)
      ? [`${reviewer}: ${last.stance}. ${last.reason}`]
      : [];
  });
  if (against.length === 0) return findingSentence(finding);
  return `${findingSentence(finding)}\n  The reviewers do not agree. ${against.join('; ').replaceAll('\n', '\n  ')}`;
}

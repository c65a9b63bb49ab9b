import type { ReviewFinding } from './finding.ts';
import { lastSpoken, lastStance, upholds } from './last-stance.ts';
import { liveReviewers, type Dissent, type Ledger } from './ledger.ts';
import { stateOf } from './open-findings.ts';
import { rankByReviewers } from './rank.ts';
import type { ReviewVerdict } from './review.ts';
import { isAgainst } from './position.ts';

/** Reviewers who disagree with the result of the debate; without a common verdict, the verdicts of all. */
export function dissentOf(ledger: Ledger, verdict: ReviewVerdict | null): readonly Dissent[] {
  const live = liveReviewers(ledger);
  return [
    ...live.flatMap((reviewer) => verdictDissent(ledger, reviewer, verdict)),
    ...rankingDissent(ledger, live),
    ...ledger.findings.flatMap((finding) => live.flatMap((reviewer) => findingDissent(ledger, finding, reviewer))),
  ];
}

function verdictDissent(ledger: Ledger, reviewer: string, common: ReviewVerdict | null): readonly Dissent[] {
  const said = lastSpoken(ledger, reviewer);
  if (said === undefined || (common !== null && said.verdict === common)) return [];
  return [{ kind: 'verdict', reviewer, verdict: said.verdict }];
}

/** Reviewers who prefer a different implementation. */
function rankingDissent(ledger: Ledger, live: readonly string[]): readonly Dissent[] {
  const best = rankByReviewers(ledger, {})[0]?.implementation;
  return live.flatMap((reviewer) => {
    const ranking = lastSpoken(ledger, reviewer)?.ranking ?? [];
    return ranking.length === 0 || ranking[0] === best ? [] : [{ kind: 'ranking' as const, reviewer, ranking }];
  });
}

function findingDissent(ledger: Ledger, finding: ReviewFinding, reviewer: string): readonly Dissent[] {
  const last = lastStance(ledger, finding, reviewer);
  if (!differs(ledger, finding, reviewer)) return [];
  const { stance = null, reason = '' } = last ?? {};
  return [{ kind: 'finding', reviewer, finding: finding.id, stance, reason }];
}

/** On an open finding, all who do not uphold it; on one that evidence closed, those it went against. */
function differs(ledger: Ledger, finding: ReviewFinding, reviewer: string): boolean {
  const state = stateOf(ledger, finding);
  if (state === 'open') return !upholds(ledger, finding, reviewer);
  if (finding.closed?.how !== 'evidence') return false;
  const last = lastStance(ledger, finding, reviewer);
  if (last === null || state === 'resting') return false;
  return isAgainst(last.stance) === finding.closed.stands;
}

import { convergence } from './debate-end.ts';
import { ENGINE } from './finding.ts';
import type { Convergence, Dissent, Dropped, Ledger } from './ledger.ts';
import { stateOf, type FindingState } from './open-findings.ts';
import type { ReviewVerdict } from './review.ts';

/** A debate in figures. */
export interface DebateSummary {
  readonly kind: Convergence['kind'];
  readonly verdict: ReviewVerdict | null;
  /** 1 and one more for each final review. */
  readonly debates: number;
  /** Rounds of all debates with a statement, without the first reviews. */
  readonly rounds: number;
  readonly findings: Readonly<Record<FindingState | 'found' | 'unverified', number>>;
  readonly reviewers: readonly ReviewerSummary[];
  readonly dissent: readonly Dissent[];
  readonly lost: readonly Dropped[];
}

export interface ReviewerSummary {
  readonly reviewer: string;
  /** The last one it gave. */
  readonly verdict: ReviewVerdict | null;
  readonly found: number;
  readonly verified: number;
  /** Why it is out; null when it is not. */
  readonly out: string | null;
  /** It named no place at all, while others found what is really there. */
  readonly isHollow: boolean;
}

export function summary(ledger: Ledger): DebateSummary {
  const { kind, verdict, dissent } = convergence(ledger);
  const { positions, debate, lost } = ledger;
  const rounds = new Set(positions.filter(({ round }) => round > 0).map((one) => `${one.debate}/${one.round}`));
  return {
    kind,
    verdict,
    debates: debate,
    rounds: rounds.size,
    findings: countsOf(ledger),
    reviewers: ledger.reviewers.map((reviewer) => reviewerSummary(ledger, reviewer)),
    dissent,
    lost,
  };
}

function countsOf(ledger: Ledger): DebateSummary['findings'] {
  const count = { open: 0, standing: 0, withdrawn: 0, fixed: 0, refuted: 0, resting: 0, found: 0, unverified: 0 };
  for (const finding of ledger.findings) {
    count[stateOf(ledger, finding)] += 1;
    count.found += 1;
    if (!finding.isVerified) count.unverified += 1;
  }
  return count;
}

function reviewerSummary(ledger: Ledger, reviewer: string): ReviewerSummary {
  const { findings, positions, out } = ledger;
  const own = findings.filter(({ by }) => by === reviewer);
  const isOthersWork = findings.some(({ by, isVerified }) => by !== reviewer && by !== ENGINE && isVerified);
  const hasSpoken = positions.some((one) => one.reviewer === reviewer);
  return {
    reviewer,
    verdict: positions.findLast((one) => one.reviewer === reviewer)?.verdict ?? null,
    found: own.length,
    verified: own.filter(({ isVerified }) => isVerified).length,
    out: out.find(({ id }) => id === reviewer)?.reason ?? null,
    isHollow: hasSpoken && isOthersWork && own.every(({ file }) => file === null),
  };
}

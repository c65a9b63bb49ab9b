import type { ReviewFinding } from './finding.ts';
import type { ProposedTest, StanceKind } from './position.ts';
import type { ReviewVerdict } from './review.ts';

/**
 * The books of a debate: findings × reviewers × rounds. Plain JSON, changed only by the functions of this folder; the rules are
 * numbered in `docs/spec/review.md`. No entry of `findings`, `stances`, `positions`, `tests`, `out` and `lost` ever goes.
 */
export interface Ledger {
  readonly reviewers: readonly string[];
  readonly implementations: readonly string[];
  /** For the present debate. */
  readonly maxRounds: number;
  /** 1 for the first debate; each final review after a revision is a further one. */
  readonly debate: number;
  /** 0 while the first, blind reviews come in. It moves on when the first one speaks in the next round. */
  readonly round: number;
  /** Reviewers who have spoken in this round. */
  readonly spoke: readonly string[];
  readonly findings: readonly ReviewFinding[];
  readonly stances: readonly Stance[];
  /** One for each time a reviewer spoke, in the order in which they did. */
  readonly positions: readonly Spoken[];
  /** Tests that reviewers proposed and the engine ran. */
  readonly tests: readonly TestRun[];
  /** Reviewers that failed. */
  readonly out: readonly Dropped[];
  /** Implementations that failed. */
  readonly lost: readonly Dropped[];
  /** Implementations that were not chosen: their findings rest. */
  readonly resting: readonly string[];
  /** The result of the debate; null while it is open. */
  readonly outcome: Convergence | null;
}

export interface Stance {
  readonly finding: string;
  readonly reviewer: string;
  readonly debate: number;
  readonly round: number;
  readonly stance: StanceKind;
  readonly reason: string;
  /** Which wording it is about: how many earlier ones the finding had. */
  readonly wording: number;
}

export interface Spoken {
  readonly reviewer: string;
  readonly debate: number;
  readonly round: number;
  /** Null for an unknown verdict: it agrees with no other. */
  readonly verdict: ReviewVerdict | null;
  readonly ranking: readonly string[];
  /** The words around it, of a first review. */
  readonly summary: string;
  /** Remaining errors after the second attempt. Absent: none. */
  readonly flaws?: readonly string[];
}

export interface TestRun extends ProposedTest {
  readonly reviewer: string;
  readonly debate: number;
  readonly round: number;
  /** Null when it did not come to an end. */
  readonly exitCode: number | null;
  /** The end of what it printed. */
  readonly output: string;
}

export interface Dropped {
  readonly id: string;
  readonly debate: number;
  readonly round: number;
  readonly reason: string;
}

/** The result of a debate. `single`: one reviewer is left, which is no consensus. `nobody`: none is. */
export interface Convergence {
  readonly kind: 'open' | 'consensus' | 'stalemate' | 'last-round' | 'single' | 'nobody';
  /** The common verdict, or that of the only reviewer; null if they differ. */
  readonly verdict: ReviewVerdict | null;
  readonly dissent: readonly Dissent[];
}

/** A reviewer's disagreement, its subject, and its reason. */
export type Dissent =
  | { readonly kind: 'verdict'; readonly reviewer: string; readonly verdict: ReviewVerdict | null }
  | { readonly kind: 'ranking'; readonly reviewer: string; readonly ranking: readonly string[] }
  | {
      readonly kind: 'finding';
      readonly reviewer: string;
      readonly finding: string;
      /** Null when it said nothing. */
      readonly stance: StanceKind | null;
      readonly reason: string;
    };

/** An empty ledger, in which the first reviews are awaited. */
export function newLedger(reviewers: readonly string[], implementations: readonly string[], maxRounds: number): Ledger {
  return {
    reviewers: [...new Set(reviewers)],
    implementations: [...new Set(implementations)],
    maxRounds,
    debate: 1,
    round: 0,
    spoke: [],
    findings: [],
    stances: [],
    positions: [],
    tests: [],
    out: [],
    lost: [],
    resting: [],
    outcome: null,
  };
}

/** Reviewers who still take part. */
export const liveReviewers = ({ reviewers, out }: Ledger): readonly string[] =>
  reviewers.filter((reviewer) => !out.some(({ id }) => id === reviewer));

/** Implementations that are still judged. */
export const liveImplementations = ({ implementations, lost, resting }: Ledger): readonly string[] =>
  implementations.filter((one) => !resting.includes(one) && !lost.some(({ id }) => id === one));

/** Whether every participant has spoken in this round. */
export const isRoundOver = (ledger: Ledger): boolean =>
  liveReviewers(ledger).every((reviewer) => ledger.spoke.includes(reviewer));

import type { Finding } from '../../core/review/finding.ts';
import type { Convergence, Dissent, Dropped, TestRun } from '../../core/review/ledger.ts';
import type { MatrixCell } from '../../core/review/matrix.ts';
import type { FindingState } from '../../core/review/open-findings.ts';
import type { Verdict } from '../../core/review/review.ts';
import type { DebateSummary } from '../../core/review/summary.ts';
import type { ReviewRun } from './review-run.ts';
import type { ReviewSpending, SpendingFigures } from './spending-view.ts';

/** What `debate --json` prints (PD4). Fields are added, never renamed; times are in milliseconds. */
export interface DebateView extends ReviewRun {
  readonly kind: 'debate';
  /** 1 for the first debate, one more for each final review after a revision; 0 before anything was opened. */
  readonly debate: number;
  /** 0: the first, blind reviews. */
  readonly round: number;
  readonly maxRounds: number;
  /** Whose turn it is; null when nobody's. */
  readonly speaker: string | null;
  readonly reviewers: readonly ReviewerView[];
  readonly implementations: readonly string[];
  /** Those that failed, and those whose findings rest because others were chosen. */
  readonly lost: readonly Dropped[];
  readonly resting: readonly string[];
  readonly findings: readonly FindingView[];
  readonly counts: DebateSummary['findings'];
  /** What is still debated, by its ids. */
  readonly open: readonly string[];
  /** In the order of time. */
  readonly rounds: readonly RoundView[];
  /** Tests that reviewers proposed and the engine ran. */
  readonly tests: readonly TestRun[];
  /** What each debate came to, the first one first. */
  readonly debates: readonly DebateEnd[];
  readonly decision: DecisionView | null;
  readonly spending: ReviewSpending;
}

export interface ReviewerView {
  readonly reviewer: string;
  /** The models that answered for it. */
  readonly models: readonly string[];
  /** The last one that may be seen. */
  readonly verdict: Verdict | null;
  readonly found: number;
  readonly verified: number;
  /** Why it takes no part any more. */
  readonly out: string | null;
  /** It named no place at all, while others found what is really there. */
  readonly isHollow: boolean;
}

/** A row of the matrix: the finding, where it is, and where every reviewer stands on it. */
export interface FindingView extends Finding {
  readonly state: FindingState;
  /** One for each reviewer, also for those that are out. */
  readonly stances: readonly MatrixCell[];
}

export interface RoundView {
  readonly debate: number;
  readonly round: number;
  readonly verdicts: readonly VerdictView[];
}

export interface VerdictView {
  readonly reviewer: string;
  /** Given, and not shown before all have spoken in this round. */
  readonly isHidden: boolean;
  readonly verdict: Verdict | null;
  readonly ranking: readonly string[];
  readonly summary: string;
  /** What is wrong in it and does not count. Absent: nothing. */
  readonly flaws?: readonly string[];
}

export interface DebateEnd {
  readonly debate: number;
  /** Rounds in which somebody spoke, without the first reviews. */
  readonly rounds: number;
  readonly came: Convergence['kind'];
  readonly verdict: Verdict | null;
  readonly dissent: readonly Dissent[];
  /** What followed from it; null while nothing did. */
  readonly decision: DecisionView | null;
  /** Of its turns, without the first reviews. */
  readonly spending: SpendingFigures;
}

export interface DecisionView {
  readonly decision: Verdict;
  readonly best: string | null;
  readonly chosen: readonly string[];
  readonly reason: string;
  /** Never a consensus. */
  readonly isSynthesis: boolean;
  readonly dissent: readonly Dissent[];
  /** Who has to be asked before it is final. */
  readonly needs: 'person' | 'synthesis' | null;
  /** Which files of which implementation a synthesis puts together. */
  readonly parts: readonly { readonly implementation: string; readonly paths: readonly string[] }[];
}

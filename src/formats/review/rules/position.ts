import type { Severity } from './finding.ts';
import type { FindingDraft, ReviewVerdict } from './review.ts';

/** A reviewer's statement in its turn of the debate, handed in with `hand_in_position`. */
export interface ReviewPosition {
  readonly verdict: ReviewVerdict | null;
  /** Implementations, best first. */
  readonly ranking: readonly string[];
  readonly stances: readonly StanceDraft[];
  readonly findings: readonly FindingDraft[];
  readonly test: ProposedTest | null;
}

/**
 * `agree`: the finding stands as it reads now. `disagree`: it was never right; from its author, that it is withdrawn. `fixed`: it was
 * right and the revision removed it. `revise`: it stands in other words.
 */
export const STANCES = ['agree', 'disagree', 'fixed', 'revise'] as const;
export type StanceKind = (typeof STANCES)[number];

/** Whether a reviewer that says so no longer holds the finding. */
export const isAgainst = (stance: StanceKind | undefined): boolean => stance === 'disagree' || stance === 'fixed';

export interface StanceDraft {
  readonly finding: string;
  readonly stance: StanceKind;
  readonly reason: string;
  /** Only with `revise`: how it should read. */
  readonly change: Rewording | null;
}

export interface Rewording {
  readonly severity?: Severity;
  readonly priority?: number;
  readonly claim?: string;
  readonly change?: string;
}

/** A command that the engine should run, as evidence for or against a finding. */
export interface ProposedTest {
  readonly finding: string;
  readonly command: string;
  /** How the command ends if the finding is right. */
  readonly expect: 'pass' | 'fail';
}

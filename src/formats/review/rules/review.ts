import type { Severity } from './finding.ts';

/** A first review, as it is handed in with `hand_in_review`. */
export interface Review {
  readonly verdict: ReviewVerdict | null;
  /** Implementations, best first. */
  readonly ranking: readonly string[];
  readonly findings: readonly FindingDraft[];
  readonly summary: string;
}

export const VERDICTS = ['APPROVE', 'REVISE_BEST', 'REVISE_ALL'] as const;
export type ReviewVerdict = (typeof VERDICTS)[number];

/** A finding before the ledger knows it. */
export interface FindingDraft {
  readonly implementation: string | null;
  readonly severity: Severity;
  readonly priority: number;
  readonly file: string | null;
  readonly line: number | null;
  readonly claim: string;
  readonly change: string;
}

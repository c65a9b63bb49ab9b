import type { CostUsd, Usage } from '../../core/usage.ts';

/** What turns took of tokens, money and time. */
export interface SpendingFigures {
  readonly turns: number;
  readonly usage: Usage;
  /** Null: at least one call had no known price. */
  readonly costUsd: CostUsd;
  /** What is known of it. */
  readonly knownCostUsd: number;
  /** How long somebody was at it: what went on at the same time counts once. */
  readonly ms: number;
  /** The same with every turn counted by itself. */
  readonly workMs: number;
}

/**
 * `reviews` are the first ones, `debate` is all that reviewers said after them, `merge` is what authors did about conflicts, and
 * `other` what belongs to no turn.
 */
export const REVIEW_PARTS = [
  'implementations',
  'reviews',
  'debate',
  'synthesis',
  'revisions',
  'merge',
  'other',
] as const;
export type ReviewPart = (typeof REVIEW_PARTS)[number];

export interface ReviewSpending {
  readonly parts: Readonly<Record<ReviewPart, SpendingFigures>>;
  readonly total: SpendingFigures;
  /** A fork: what came before was paid by that run and is not counted. */
  readonly paidBefore: string | null;
}

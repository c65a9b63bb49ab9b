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

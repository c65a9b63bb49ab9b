/** The least role for each view of a review. Apart from their schemas, which the page need not load. */
export const REVIEW_ACCESS = { debate: 'viewer', compare: 'viewer' } as const;

import { type Family, hasKey } from '../family.ts';
import { reviewStep } from './parse/lower-review.ts';
import { parseReview } from './parse/parse-review.ts';

export const REVIEW: Family = {
  documents: {
    recognises: (document) => hasKey(document, 'implementers') || hasKey(document, 'reviewers'),
    parse: parseReview,
  },
  takesBest: true,
  verifyInput: 'verify',
  drawnAs: reviewStep,
};

import { isJsonObject, type JsonObject } from '../../../core/model/json.ts';
import { newReviewState, REVIEW_STATE, type ReviewState } from '../rules/review-state.ts';

/** The review's state in the data of its run; null before it began. The engine's own rules write it. */
export function reviewStateIn(data: JsonObject): ReviewState | null {
  const kept = data[REVIEW_STATE];
  const isKept = kept !== undefined && isJsonObject(kept) && 'ledger' in kept;
  return isKept ? (kept as unknown as ReviewState) : null;
}

const BEFORE = newReviewState({ implementers: [], reviewers: [], maxRounds: 0 });

/** Before a review has begun with anything. */
export const NO_REVIEW: ReviewState = { ...BEFORE, ledger: { ...BEFORE.ledger, debate: 0 } };

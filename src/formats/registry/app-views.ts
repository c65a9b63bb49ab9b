import { REVIEW_VIEWERS } from '../review/app/review-viewers.ts';

/** Views of single families. A further family is a line here. */
export const FAMILY_VIEWERS = { ...REVIEW_VIEWERS };

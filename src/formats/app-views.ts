import { REVIEW_VIEWERS } from './review/app/review-viewers.ts';

/** What the views of single families show. A further one is a line here. */
export const FAMILY_VIEWERS = { ...REVIEW_VIEWERS };

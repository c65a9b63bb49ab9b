import { REVIEW_ACCESS } from '../review/views/review-access.ts';

/** The least role for each view of single families. A further family is a line here. */
export const FAMILY_ACCESS = { ...REVIEW_ACCESS };

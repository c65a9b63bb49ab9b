import { convergence } from '../../src/formats/review/rules/debate-end.ts';
import { decideReview } from '../../src/formats/review/rules/decide.ts';
import { dropImplementation, dropReviewer } from '../../src/formats/review/rules/drop-reviewer.ts';
import { newLedger } from '../../src/formats/review/rules/ledger.ts';
import { matrix } from '../../src/formats/review/rules/matrix.ts';
import { nextSpeaker } from '../../src/formats/review/rules/next-speaker.ts';
import { openFindings } from '../../src/formats/review/rules/open-findings.ts';
import { positionText } from '../../src/formats/review/rules/position-text.ts';
import { reopen } from '../../src/formats/review/rules/reopen.ts';
import { summary } from '../../src/formats/review/rules/summary.ts';
import { addEngineFinding, closeByEvidence, takeTest } from '../../src/formats/review/rules/take-evidence.ts';
import { takePosition } from '../../src/formats/review/rules/take-position.ts';
import { takeReview } from '../../src/formats/review/rules/take-review.ts';
import { reviewerSight } from '../../src/formats/review/rules/reviewer-reading.ts';

/** The protocol of a debate, so that a copy of it with a planted defect can be put in its place. */
export const OUR_DEBATE = {
  newLedger,
  takeReview,
  takePosition,
  closeByEvidence,
  takeTest,
  addEngineFinding,
  dropReviewer,
  dropImplementation,
  reopen,
  reviewerSight,
  positionText,
  nextSpeaker,
  convergence,
  openFindings,
  matrix,
  summary,
  decideReview,
};

export type Debate = typeof OUR_DEBATE;

import { convergence } from '../../src/core/review/convergence.ts';
import { decideReview } from '../../src/core/review/decide.ts';
import { dropImplementation, dropReviewer } from '../../src/core/review/drop-reviewer.ts';
import { newLedger } from '../../src/core/review/ledger.ts';
import { matrix } from '../../src/core/review/matrix.ts';
import { nextSpeaker } from '../../src/core/review/next-speaker.ts';
import { openFindings } from '../../src/core/review/open-findings.ts';
import { positionText } from '../../src/core/review/position-text.ts';
import { reopen } from '../../src/core/review/reopen.ts';
import { summary } from '../../src/core/review/summary.ts';
import { addEngineFinding, closeByEvidence, takeTest } from '../../src/core/review/take-evidence.ts';
import { takePosition } from '../../src/core/review/take-position.ts';
import { takeReview } from '../../src/core/review/take-review.ts';
import { reviewerSight } from '../../src/core/review/view-for.ts';

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

import type { EngineProgram } from '../../../host/world.ts';
import { reviewDecide } from './review-decide.ts';
import { reviewHybrid } from './review-hybrid.ts';
import { reviewOpen } from './review-open.ts';
import { reviewOrders } from './review-orders.ts';
import { reviewPack } from './review-pack.ts';
import { reviewReopen } from './review-reopen.ts';
import { reviewTake } from './review-take.ts';
import { reviewTampered } from './review-tampered.ts';
import { reviewTouched } from './review-touched.ts';
import { reviewTry } from './review-try.ts';
import { reviewVerify } from './review-verify.ts';

export const REVIEW_PROGRAMS: Readonly<Record<string, EngineProgram>> = {
  'review.open': reviewOpen,
  'review.try': reviewTry,
  'review.verify': reviewVerify,
  'review.tampered': reviewTampered,
  'review.pack': reviewPack,
  'review.take': reviewTake,
  'review.decide': reviewDecide,
  'review.orders': reviewOrders,
  'review.touched': reviewTouched,
  'review.reopen': reviewReopen,
  'review.hybrid': reviewHybrid,
};

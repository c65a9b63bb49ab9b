import type { EngineProgram } from '../../../host/world.ts';
import { reviewGuard } from './review-guard.ts';
import { reviewHybrid } from './review-hybrid.ts';
import { reviewNext, reviewStart } from './review-next.ts';
import { reviewOrders } from './review-orders.ts';
import { reviewPack, reviewShow } from './review-pack.ts';
import { reviewTake } from './review-take.ts';
import { reviewTry } from './review-try.ts';
import { reviewVerify } from './review-verify.ts';

export const REVIEW_PROGRAMS: Readonly<Record<string, EngineProgram>> = {
  'review.start': reviewStart,
  'review.next': reviewNext,
  'review.try': reviewTry,
  'review.verify': reviewVerify,
  'review.pack': reviewPack,
  'review.take': reviewTake,
  'review.show': reviewShow,
  'review.orders': reviewOrders,
  'review.hybrid': reviewHybrid,
  'review.guard': reviewGuard,
};

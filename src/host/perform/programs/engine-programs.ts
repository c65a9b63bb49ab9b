import { busSend } from './bus-send.ts';
import type { EngineProgram } from './engine-program.ts';
import { filesMissing } from './files-missing.ts';
import { phaseBegin } from './phase-begin.ts';
import { phaseCollect } from './phase-collect.ts';
import { reviewDecide } from './review/review-decide.ts';
import { reviewHybrid } from './review/review-hybrid.ts';
import { reviewOpen } from './review/review-open.ts';
import { reviewOrders } from './review/review-orders.ts';
import { reviewPack } from './review/review-pack.ts';
import { reviewReopen } from './review/review-reopen.ts';
import { reviewTake } from './review/review-take.ts';
import { reviewTampered } from './review/review-tampered.ts';
import { reviewTry } from './review/review-try.ts';
import { reviewTouched } from './review/review-touched.ts';
import { reviewVerify } from './review/review-verify.ts';
import { routeFacts } from './route-facts.ts';

/** By the names that lowered workflows use. Each can be asked again: nothing it does counts before its answer is journaled. */
export const ENGINE_PROGRAMS: ReadonlyMap<string, EngineProgram> = new Map([
  ['phase.begin', phaseBegin],
  ['phase.collect', phaseCollect],
  ['files.missing', filesMissing],
  ['bus.send', busSend],
  ['route.facts', routeFacts],
  ['review.open', reviewOpen],
  ['review.try', reviewTry],
  ['review.verify', reviewVerify],
  ['review.tampered', reviewTampered],
  ['review.pack', reviewPack],
  ['review.take', reviewTake],
  ['review.decide', reviewDecide],
  ['review.orders', reviewOrders],
  ['review.touched', reviewTouched],
  ['review.reopen', reviewReopen],
  ['review.hybrid', reviewHybrid],
]);

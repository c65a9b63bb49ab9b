import { busSend } from './bus-send.ts';
import type { EngineProgram } from './engine-program.ts';
import { filesMissing } from './files-missing.ts';
import { phaseBegin } from './phase-begin.ts';
import { phaseCollect } from './phase-collect.ts';
import { reviewDecide } from '../../../formats/review/programs/review-decide.ts';
import { reviewHybrid } from '../../../formats/review/programs/review-hybrid.ts';
import { reviewOpen } from '../../../formats/review/programs/review-open.ts';
import { reviewOrders } from '../../../formats/review/programs/review-orders.ts';
import { reviewPack } from '../../../formats/review/programs/review-pack.ts';
import { reviewReopen } from '../../../formats/review/programs/review-reopen.ts';
import { reviewTake } from '../../../formats/review/programs/review-take.ts';
import { reviewTampered } from '../../../formats/review/programs/review-tampered.ts';
import { reviewTry } from '../../../formats/review/programs/review-try.ts';
import { reviewTouched } from '../../../formats/review/programs/review-touched.ts';
import { reviewVerify } from '../../../formats/review/programs/review-verify.ts';
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

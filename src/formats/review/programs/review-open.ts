import type { Json } from '../../../core/model/json.ts';
import { newLedger } from '../rules/ledger.ts';
import type { EngineProgram } from '../../../host/world.ts';
import { programInput } from '../../../host/perform/programs/program-input.ts';
import { openSchema } from './review-input.ts';

/** `review.open`: the books of a debate that is still to come. */
export const reviewOpen: EngineProgram = async (_performance, effect) => {
  const { reviewers, implementations, maxRounds } = programInput(openSchema, effect);
  return { output: { ledger: newLedger(reviewers, implementations, maxRounds) as unknown as Json } };
};

import type { Json } from '../../../core/model/json.ts';
import { decideReview } from '../rules/decide.ts';
import type { EngineProgram } from '../../../host/world.ts';
import { programInput } from '../../../host/perform/programs/program-input.ts';
import { decideSchema } from './review-input.ts';

/** `review.decide`: what follows from the debate, or who has to be asked first (PD5). */
export const reviewDecide: EngineProgram = async (_performance, effect) => {
  const { ledger, pick, evidence, asked, synthesis, unmixed = '' } = programInput(decideSchema, effect);
  const seen = Object.entries(evidence).map(
    ([id, { isGreen = false, passed = null, failed = null }]) => [id, { isGreen, passed, failed }] as const,
  );
  const decision = decideReview(ledger, { pick, evidence: Object.fromEntries(seen), asked, synthesis, unmixed });
  return { output: decision as unknown as Json };
};

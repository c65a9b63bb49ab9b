import { startReview, takeCommandAnswer, takeTried, takeVerified } from './command-steps.ts';
import { takePack, takeReplies } from './debate-steps.ts';
import { decideNext, takeShown } from './decide-steps.ts';
import { takeCollisionAnswer, takeSettled, takeUnmerged } from './merge-steps.ts';
import type { ReviewEvent, ReviewStep } from './review-event.ts';
import type { ReviewBasis, ReviewState } from './review-state.ts';
import { takeImplemented, takeOrders, takeRevised } from './work-steps.ts';

/** All decisions of a review: its state after an event, and the next state of the workflow. Pure. */
export function reduceReview(state: ReviewState, event: ReviewEvent, basis: ReviewBasis): ReviewStep {
  const reduce = REDUCERS[event.kind] as (state: ReviewState, event: ReviewEvent, basis: ReviewBasis) => ReviewStep;
  return reduce(state, event, basis);
}

type Reducers = {
  readonly [Kind in ReviewEvent['kind']]: (
    state: ReviewState,
    event: Extract<ReviewEvent, { kind: Kind }>,
    basis: ReviewBasis,
  ) => ReviewStep;
};

const REDUCERS: Reducers = {
  started: (state, _event, basis) => startReview(state, basis),
  tried: takeTried,
  'command answered': (state, { answer }) => takeCommandAnswer(state, answer),
  implemented: takeImplemented,
  verified: (state, { evidence }, basis) => takeVerified(state, evidence, basis),
  packed: takePack,
  replied: (state, { replies }) => takeReplies(state, replies),
  deciding: decideNext,
  shown: (state, { text }) => takeShown(state, text),
  ordered: takeOrders,
  revised: takeRevised,
  unmerged: takeUnmerged,
  settled: (state, { tampered }) => takeSettled(state, tampered),
  'collision answered': (state, { answer }) => takeCollisionAnswer(state, answer),
};

import { startReview, takeCommandAnswer, takeTried, takeVerified } from './command-steps.ts';
import { takePack, takeReplies } from './debate-steps.ts';
import { decideNext, takeShown } from './decide-steps.ts';
import { takeCollisionAnswer, takeSettled, takeUnmerged } from './merge-steps.ts';
import type { ReviewEvent, ReviewStep } from './review-event.ts';
import type { ReviewState } from './review-state.ts';
import { takeImplemented, takeOrders, takeRevised } from './work-steps.ts';

/** All that a review decides: what it knows after an event, and which state of the workflow follows. Pure. */
export function reduceReview(state: ReviewState, event: ReviewEvent): ReviewStep {
  const reduce = REDUCERS[event.kind] as (state: ReviewState, event: ReviewEvent) => ReviewStep;
  return reduce(state, event);
}

type Reducers = {
  readonly [Kind in ReviewEvent['kind']]: (
    state: ReviewState,
    event: Extract<ReviewEvent, { kind: Kind }>,
  ) => ReviewStep;
};

const REDUCERS: Reducers = {
  started: startReview,
  tried: takeTried,
  'command answered': (state, { answer }) => takeCommandAnswer(state, answer),
  implemented: (state, { units }) => takeImplemented(state, units),
  verified: (state, { evidence }) => takeVerified(state, evidence),
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

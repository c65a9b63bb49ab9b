import { planOf } from '../../plan-of.ts';
import type { ComputeRun } from '../../../core/model/effect.ts';
import { Fault } from '../../../core/model/fault.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../core/model/json.ts';
import type { EngineProgram, EffectContext, ProgramAnswer } from '../../../host/world.ts';
import { reduceReview } from '../rules/reduce-review.ts';
import type { ReviewEvent } from '../rules/review-event.ts';
import { commandIn } from '../rules/review-inputs.ts';
import { REVIEW_STATE, type ReviewBasis, type ReviewState, type ReviewTerms } from '../rules/review-state.ts';

export interface Gathering extends ReviewBasis {
  readonly context: EffectContext;
  readonly effect: ComputeRun;
  readonly state: ReviewState;
}

/** A program that gathers what an event needs, lets the rules decide, and keeps what they know from then on. */
export const keepReview =
  (gather: (gathering: Gathering) => Promise<ReviewEvent> | ReviewEvent): EngineProgram =>
  async (context, effect) => {
    const state = reviewStateOf(context);
    const basis = { terms: reviewTermsOf(context), command: commandIn(context.snapshot.data, state) };
    return answerOf(state, await gather({ context, effect, state, ...basis }), basis);
  };

export function answerOf(before: ReviewState, event: ReviewEvent, basis: ReviewBasis): ProgramAnswer {
  const { state, orders, notes } = reduceReview(before, event, basis);
  const decided = event.kind === 'deciding' ? decidedIn(state) : {};
  const note = notes.length === 0 ? {} : { note: notes.join('\n') };
  return { output: { ...orders, ...decided, ...note }, kept: state as unknown as Json };
}

/** The part of a decision that a person sees. */
function decidedIn({ decision }: ReviewState): JsonObject {
  return decision === null ? {} : { decision: decision.decision, reason: decision.reason };
}

/** The engine's own rules wrote it, so it is trusted. */
export function reviewStateOf({ snapshot }: EffectContext): ReviewState {
  const kept = snapshot.data[REVIEW_STATE];
  if (kept !== undefined && isJsonObject(kept)) return kept as unknown as ReviewState;
  throw noReview(snapshot.workflow);
}

export const reviewTermsOf = ({ definition }: EffectContext): ReviewTerms => planOf(definition) as ReviewTerms;

const noReview = (workflow: string): Fault =>
  new Fault('PROGRAM_INPUT', `There is no review under way in "${workflow}".`, {
    hint: 'The workflow that asks for it does not fit this version.',
  });

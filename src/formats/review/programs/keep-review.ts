import type { ComputeRun } from '../../../core/model/effect.ts';
import { Fault } from '../../../core/model/fault.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../core/model/json.ts';
import type { EngineProgram, Performance } from '../../../host/world.ts';
import { reduceReview } from '../rules/reduce-review.ts';
import type { ReviewEvent } from '../rules/review-event.ts';
import { REVIEW_STATE, type ReviewState } from '../rules/review-state.ts';

export interface Gathering {
  readonly performance: Performance;
  readonly effect: ComputeRun;
  readonly state: ReviewState;
}

/** A program that gathers what an event needs, lets the rules decide, and keeps what they know from then on. */
export const keepReview =
  (gather: (gathering: Gathering) => Promise<ReviewEvent> | ReviewEvent): EngineProgram =>
  async (performance, effect) => {
    const state = reviewStateOf(performance);
    return answerOf(state, await gather({ performance, effect, state }));
  };

export function answerOf(before: ReviewState, event: ReviewEvent): Awaited<ReturnType<EngineProgram>> {
  const { state, orders, notes } = reduceReview(before, event);
  const decided = event.kind === 'deciding' ? decidedIn(state) : {};
  const note = notes.length === 0 ? {} : { note: notes.join('\n') };
  return { output: { ...orders, ...decided, ...note }, kept: state as unknown as Json };
}

/** What a person is shown of a decision. */
function decidedIn({ decision }: ReviewState): JsonObject {
  return decision === null ? {} : { decision: decision.decision, reason: decision.reason };
}

/** The engine's own rules wrote it, so it is trusted. */
export function reviewStateOf({ snapshot }: Performance): ReviewState {
  const kept = snapshot.data[REVIEW_STATE];
  if (kept !== undefined && isJsonObject(kept)) return kept as unknown as ReviewState;
  throw new Fault('PROGRAM_INPUT', `There is no review under way in "${snapshot.workflow}".`, {
    hint: 'The workflow that asks for it does not fit this version.',
  });
}

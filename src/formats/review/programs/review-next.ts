import type { EndedState, Snapshot } from '../../../core/fold/snapshot.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../core/model/json.ts';
import type { Outcome } from '../../../core/model/outcome.ts';
import { programInput } from '../../../host/perform/commands/program-input.ts';
import type { EngineProgram } from '../../../host/world.ts';
import type { Implemented, NextEvent, ReviewEvent } from '../rules/review-event.ts';
import { commandIn } from '../rules/review-inputs.ts';
import { jsonText } from '../../../core/model/json.ts';
import { newReviewState } from '../rules/review-state.ts';
import { answerOf, keepReview, reviewTermsOf } from './keep-review.ts';
import { evidenceIn, nextSchema } from './review-input.ts';

/** `review.start`: a review begins with its author's terms and the user's command. */
export const reviewStart: EngineProgram = async (context) => {
  const terms = reviewTermsOf(context);
  const state = newReviewState(terms);
  return answerOf(state, { kind: 'started' }, { terms, command: commandIn(context.snapshot.data, state) });
};

/** `review.next`: decides what follows a state, if that needs no files. */
export const reviewNext: EngineProgram = keepReview(({ context: { snapshot }, effect }) => {
  const { event } = programInput(nextSchema, effect);
  return EVENTS[event](snapshot.last ?? NOTHING, snapshot);
});

const NOTHING: EndedState = { state: '', outcome: 'ok', output: null, failure: null };

const EVENTS: Readonly<Record<NextEvent, (last: EndedState, snapshot: Snapshot) => ReviewEvent>> = {
  'command answered': ({ output }) => ({ kind: 'command answered', answer: jsonText(output) }),
  implemented: ({ output }) => ({
    kind: 'implemented',
    units: unitsIn(output).map(({ id, outcome, reason }) => ({ id, outcome, reason })),
    claims: claimsIn(output),
  }),
  verified: ({ output }) => ({
    kind: 'verified',
    evidence: Object.fromEntries(unitsIn(output).map((unit) => [unit.id, evidenceIn(unit)])),
  }),
  deciding: decidingEvent,
  revised: ({ output }) => ({ kind: 'revised', claims: claimsIn(output) }),
  unmerged: unmergedEvent,
  'collision answered': ({ output }) => ({ kind: 'collision answered', answer: jsonText(output) }),
};

const claimsIn = (output: Json): Implemented['claims'] =>
  Object.fromEntries(unitsIn(output).map((unit) => [unit.id, jsonText(unit.output).slice(0, MOST_OF_CLAIM)]));

/** It stands on a card: the whole answer is in the conversation. */
const MOST_OF_CLAIM = 500;

/** How a unit of a pool ended. */
export interface UnitEnd {
  readonly id: string;
  readonly outcome: Outcome;
  readonly output: Json;
  readonly reason: string | null;
}

export function unitsIn(output: Json): readonly UnitEnd[] {
  const units = isJsonObject(output) ? output['units'] : undefined;
  return Array.isArray(units) ? units : [];
}

function decidingEvent(last: EndedState, { agents }: Snapshot): ReviewEvent {
  const kind = 'deciding';
  switch (last.state) {
    case 'ask':
      return { kind, asked: last.output };
    case 'synthesise':
      return { kind, synthesis: synthesisOf(last, agents['synthesiser']) };
    case 'hybrid':
    case 'merge_hybrid':
      return { kind, unmixed: last.failure?.message ?? 'It did not come out well.' };
    default:
      return { kind };
  }
}

/** A model that cannot call tools may have said it in keywords. */
function synthesisOf({ outcome, failure }: EndedState, said: Snapshot['agents'][string] | undefined): Json {
  if (outcome !== 'ok') return { failed: failure?.message ?? 'It gave no synthesis.' };
  return said?.parsingCalls[0]?.arguments ?? { text: said?.lastResponse ?? '' };
}

function unmergedEvent({ outcome, output, failure }: EndedState): ReviewEvent {
  const { advice, conflicts, unresolved }: JsonObject = isJsonObject(output) ? output : {};
  const paths = [...listIn(conflicts).map((one) => (isJsonObject(one) ? one['path'] : null)), ...listIn(unresolved)];
  return {
    kind: 'unmerged',
    outcome,
    failure,
    advice: typeof advice === 'string' ? advice : null,
    paths: paths.map((path) => jsonText(path)),
  };
}

const listIn = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? (value as readonly Json[]) : []);

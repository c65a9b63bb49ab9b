import { nextState } from '../../../core/model/decision.ts';
import { decideReview, type ReviewDecision } from './decide.ts';
import { foundTampered } from './merge-steps.ts';
import { type ReviewEvent, type ReviewStep } from './review-event.ts';
import type { ReviewBasis, ReviewState } from './review-state.ts';

/** Decides by the last positions of all; asks a person or a synthesiser only if the author wants it or there is no agreement (PD5). */
export function decideNext(
  before: ReviewState,
  event: Extract<ReviewEvent, { kind: 'deciding' }>,
  { terms: { pick, maxRevisions } }: ReviewBasis,
): ReviewStep {
  const { kind: _kind, ...heard } = event;
  const known = { ...before, ...heard };
  const { ledger, evidence, claims, sizes, asked, synthesis, unmixed } = known;
  const decision = decideReview(ledger, { pick, evidence, claims, sizes, asked, synthesis, unmixed });
  const state = { ...known, decision, pick, decidedIn: ledger.debate };
  if (decision.needs === 'person') return nextState('ask', { ...state, question: decision.question });
  if (decision.needs === 'synthesis') return nextState('show', state);
  if (decision.decision === 'APPROVE')
    return decision.parts.length > 1 ? nextState('hybrid', state) : merge(state, decision);
  if (state.revisions < maxRevisions) return nextState('orders', state);
  return merge({ ...state, problem: revisionsUsed(maxRevisions, decision) }, decision);
}

function revisionsUsed(most: number, { reason }: ReviewDecision) {
  return {
    code: 'REVISIONS_USED' as const,
    message: `After ${most} ${most === 1 ? 'revision' : 'revisions'} it is not approved: ${reason}`,
    hint: 'The best so far is kept. See what is open: troupe debate RUN',
  };
}

/** The winner's files are delivered when the command succeeds on them; those of no other are (PD7). */
function merge(state: ReviewState, { best, decision, reason }: ReviewDecision): ReviewStep {
  const tampered = state.evidence[best ?? '']?.tampered ?? [];
  if (best === null)
    return nextState('failed', {
      ...state,
      problem: { code: 'NO_WINNER', message: `No implementation was found best: ${reason}` },
    });
  // No result of the command counts for it, so only a person can have approved it.
  if (decision !== 'APPROVE' && tampered.length > 0) return foundTampered(state, best, tampered);
  return nextState('merge', state);
}

/** The synthesiser had no part in the debate: it gets all diffs and all of the debate. */
export const takeShown = (state: ReviewState, text: string): ReviewStep =>
  nextState('synthesise', { ...state, say: `${text}\n\n# The debate\n\n${state.decision?.say ?? ''}` });

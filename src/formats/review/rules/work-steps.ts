import { nextState } from '../../../core/model/decision.ts';
import { type Implemented, type Revised, type RevisionOrders, type ReviewStep } from './review-event.ts';
import type { ReviewBasis, ReviewState, ReviewTerms } from './review-state.ts';

/** All implementers are done; enough of them must have come out well (PD1). */
export function takeImplemented(state: ReviewState, { units, claims }: Implemented, basis: ReviewBasis): ReviewStep {
  const alive = units.filter(({ outcome }) => outcome === 'ok').map(({ id }) => id);
  const lost = units
    .filter(({ outcome }) => outcome !== 'ok')
    .map(({ id, outcome, reason }) => ({ id, outcome, reason }));
  const now = { ...state, alive, lost, claims, units: alive.map((id) => ({ id })) };
  const { terms } = basis;
  if (alive.length < terms.quorum) return nextState('failed', { ...now, problem: tooFew(now, terms) });
  return verifyOrPack(now, basis);
}

const verifyOrPack = (state: ReviewState, { command }: ReviewBasis): ReviewStep =>
  nextState(command === '' ? 'pack' : 'verify', state);

function tooFew({ alive, lost }: ReviewState, { implementers, quorum }: ReviewTerms) {
  const reasons = lost.map(({ id, outcome, reason }) => `${id} ${outcome}${reason === null ? '' : ` (${reason})`}`);
  const message = `${alive.length} of ${implementers.length} implementations came out well, ${quorum} were needed: ${reasons.join('; ')}`;
  return { code: 'QUORUM_MISSED' as const, message };
}

/** The chosen implementers revise their own work in their own sessions and files (PD6). */
export function takeOrders(state: ReviewState, { orders, trees }: RevisionOrders): ReviewStep {
  return nextState('revise', { ...state, orders, trees, units: (state.decision?.chosen ?? []).map((id) => ({ id })) });
}

/** The words of a person, a synthesis or an author were about the work before the revision. */
export function takeRevised(state: ReviewState, { claims }: Revised, basis: ReviewBasis): ReviewStep {
  const revisions = state.revisions + 1;
  const now = { ...state, revisions, claims: { ...state.claims, ...claims }, asked: null, synthesis: null };
  return verifyOrPack({ ...now, unmixed: '' }, basis);
}

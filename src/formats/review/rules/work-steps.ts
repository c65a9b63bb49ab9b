import { go, type RevisionOrders, type ReviewStep } from './review-event.ts';
import type { ImplementationEnd, ReviewState } from './review-state.ts';

/** All implementers are done; enough of them must have come out well (PD1). */
export function takeImplemented(state: ReviewState, units: readonly ImplementationEnd[]): ReviewStep {
  const alive = units.filter(({ outcome }) => outcome === 'ok').map(({ id }) => id);
  const lost = units
    .filter(({ outcome }) => outcome !== 'ok')
    .map(({ id, outcome, reason }) => ({ id, outcome, reason }));
  const now = { ...state, alive, lost, units: alive.map((id) => ({ id })) };
  if (alive.length < state.terms.quorum) return go('failed', { ...now, problem: tooFew(now) });
  return verifyOrPack(now);
}

const verifyOrPack = (state: ReviewState): ReviewStep => go(state.command === '' ? 'pack' : 'verify', state);

function tooFew({ terms, alive, lost }: ReviewState) {
  const reasons = lost.map(({ id, outcome, reason }) => `${id} ${outcome}${reason === null ? '' : ` (${reason})`}`);
  const message = `${alive.length} of ${terms.implementers.length} implementations came out well, ${terms.quorum} were needed: ${reasons.join('; ')}`;
  return { code: 'QUORUM_MISSED' as const, message };
}

/** The chosen implementers revise their own work in their own sessions and files (PD6). */
export function takeOrders(state: ReviewState, { orders, trees }: RevisionOrders): ReviewStep {
  return go('revise', { ...state, orders, trees, units: (state.decision?.chosen ?? []).map((id) => ({ id })) });
}

/** The words of a person or a synthesis were about the work before the revision. */
export const takeRevised = (state: ReviewState): ReviewStep =>
  verifyOrPack({ ...state, revisions: state.revisions + 1, asked: null, synthesis: null, unmixed: '' });

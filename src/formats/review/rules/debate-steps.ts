import { nextState } from '../../../core/model/decision.ts';
import { convergence } from './debate-end.ts';
import { dropImplementation } from './drop-reviewer.ts';
import { withEngineFindings } from './engine-findings.ts';
import type { Ledger } from './ledger.ts';
import { nextTurn } from './next-turn.ts';
import { reopen } from './reopen.ts';
import { type Packed, type ReviewStep } from './review-event.ts';
import type { ReviewBasis, ReviewPack, ReviewState } from './review-state.ts';
import { takeReply, type GatheredReply } from './take-reply.ts';

/** Reviewers first judge without knowing of each other; after a revision the debate goes on at once (PD3, PD6). */
export function takePack(before: ReviewState, packed: Packed, { terms }: ReviewBasis): ReviewStep {
  const { pack, sizes } = packed;
  const state = { ...before, pack, sizes: { ...before.sizes, ...sizes } };
  if (state.revisions > 0) return speakNext(reopened(state, packed, terms.finalRounds));
  const ledger = withEngineFindings(withoutUnpacked(state.ledger, pack), pack);
  return nextState('review', { ...state, ledger, firstSizes: sizes });
}

/** Implementations that reviewers cannot read are not judged. */
function withoutUnpacked(ledger: Ledger, { trees }: ReviewPack): Ledger {
  return ledger.implementations
    .filter((id) => !Object.hasOwn(trees, id))
    .reduce((now, id) => dropImplementation(now, id, 'It did not come out well.').ledger, ledger);
}

function reopened(state: ReviewState, { pack, touched }: Packed, maxRounds: number): ReviewState {
  const { ledger, decision } = state;
  const { debate, resting } = ledger;
  const past = { debate, came: convergence(ledger), decision, resting };
  const chosen = state.units.map(({ id }) => id);
  const { ledger: opened } = reopen(ledger, { maxRounds, touched, chosen });
  return { ...state, ledger: withEngineFindings(opened, pack), debates: [...state.debates, past] };
}

/** First reviews come together, positions one by one (PD4). */
export function takeReplies(state: ReviewState, replies: readonly GatheredReply[]): ReviewStep {
  const notes: string[] = [];
  let { ledger } = state;
  for (const reply of replies) {
    const taken = takeReply(ledger, reply);
    if (taken.note !== null) notes.push(taken.note);
    ({ ledger } = taken);
  }
  return { ...speakNext({ ...state, ledger }), notes };
}

/** One turn after the other until the debate converges. */
function speakNext(state: ReviewState): ReviewStep {
  const turn = nextTurn(state.ledger);
  return turn === null ? nextState('decide', state) : nextState('debate', { ...state, ...turn });
}

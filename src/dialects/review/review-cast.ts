import type { Cast } from '../../core/workflow.ts';
import type { PlacedAgent } from '../source/placed-agent.ts';
import type { Mind, ReviewPlan } from './review-plan.ts';

/** Brings together what reviewers do not agree on. */
export const SYNTHESISER = 'synthesiser';

/** Whose files are made of those of several. */
export const HYBRID = 'hybrid';

/** `review.pack` fills it with the files of all implementers. */
const REVIEW = 'review';

interface Player {
  readonly id: string;
  readonly workspace: string;
  /** The role it is made from. */
  readonly of: string;
  readonly mind: Mind | undefined;
}

/** Everybody has a conversation of its own; reviewers share a workspace in which all implementations lie side by side. */
function playersOf({ implementers, reviewers }: ReviewPlan): readonly Player[] {
  return [
    ...implementers.map((mind) => ({ id: mind.id, workspace: 'own', of: mind.role ?? 'implementer', mind })),
    ...reviewers.map((mind) => ({ id: mind.id, workspace: REVIEW, of: mind.role ?? 'peer_reviewer', mind })),
    { id: SYNTHESISER, workspace: REVIEW, of: 'synthesiser', mind: reviewers[0] },
    // It never speaks, and needs nobody who is not there anyway.
    { id: HYBRID, workspace: 'own', of: implementers[0]?.role ?? 'implementer', mind: implementers[0] },
  ];
}

export const contextsOf = (plan: ReviewPlan) =>
  playersOf(plan).map(({ id }) => ({ name: id, startingMessages: [], maxLength: 400_000 }));

export function agentsOf(plan: ReviewPlan): readonly PlacedAgent[] {
  return playersOf(plan).map(({ id, workspace, mind }) => ({
    name: id,
    role: id,
    context: id,
    side: 'assistant',
    workspace,
    ...(workspace === REVIEW ? { folders: plan.implementers.map((implementer) => implementer.id) } : {}),
    ...(mind?.actor === undefined ? {} : { actor: mind.actor }),
    ...(mind?.at === undefined ? {} : { at: mind.at }),
  }));
}

export function castsOf(plan: ReviewPlan): Readonly<Record<string, Cast>> {
  return Object.fromEntries(
    playersOf(plan).map(({ id, of, mind }) => [
      id,
      { of, change: mind?.model === undefined ? {} : { level: mind.model } },
    ]),
  );
}

import { nextState } from '../../../core/model/decision.ts';
import type { Unverified } from '../../../core/look/unverified.ts';
import type { Failure } from '../../../core/model/outcome.ts';
import { type ReviewStep, type Unmerged } from './review-event.ts';
import type { CommandEvidence, ReviewState } from './review-state.ts';

/**
 * A collision goes back to the winner's author once, in its own session and workspace, which holds both sides; then to the person.
 * It happens only where the run shares its files with others: as part of a larger run, or after a person put it back.
 */
export function takeUnmerged(state: ReviewState, event: Unmerged): ReviewStep {
  const { outcome, failure } = event;
  const best = state.decision?.best ?? '';
  if (outcome === 'blocked') return collide(state, best, { event, ...marked(event) });
  if (outcome === 'crashed') return nextState('failed', { ...state, problem: failure });
  if (isRedTogether(event) && state.evidence[best]?.isGreen === true)
    return collide(state, best, { event, ...apart(event) });
  const { code, message: why } = failure ?? NOT_MERGED;
  return leaveUnverified(state, { implementation: best, code, why });
}

const NOT_MERGED = { code: 'MERGE_NOT_VERIFIED', message: 'The merge did not come out well.' } as const;

const isRedTogether = ({ outcome, failure }: Unmerged): boolean =>
  outcome === 'failed' && ['MERGE_NOT_VERIFIED', 'MERGE_NOT_FIXED'].includes(failure?.code ?? '');

/** For the author, and for the person. */
interface CollisionText {
  readonly advice: string;
  readonly what: string;
}

/** Both changed the same things. */
const marked = ({ advice, paths }: Unmerged): CollisionText => ({
  advice: advice ?? '',
  what: `collides with what others changed meanwhile, in ${paths.slice(0, MOST_NAMED).join(', ')}. `,
});

const MOST_NAMED = 20;

/** Green alone and red together: either others' changes or files that git ignores make the difference. */
function apart({ advice, failure }: Unmerged): CollisionText {
  const why = failure?.message ?? '';
  return {
    advice: `Your changes pass in your workspace. Merged, ${APART}, they do not.\n\n${advice ?? why}`,
    what: `passes in its workspace, but not merged, ${APART}: ${why} `,
  };
}

const APART = 'in its own folder, with what others changed meanwhile and without what git ignores';

function collide(
  state: ReviewState,
  id: string,
  { event: { failure }, advice, what }: CollisionText & { readonly event: Unmerged },
): ReviewStep {
  const collision = {
    code: failure?.code ?? ('MERGE_CONFLICT' as const),
    class: failure?.class ?? ('logic' as const),
    message: `${id} ${what}It was not settled.`,
    hint: `Both sides are in its workspace: troupe diff RUN --agent ${id}`,
  };
  const question = `${id} was chosen, and ${what}It was asked to settle that, and did not. Its workspace holds both sides; troupe show RUN names the folder.\nAnswer "again" when you have settled it there, "stop" to leave it unmerged, or say how it is to be settled: ${id} hears it and tries once more.`;
  const now = { ...state, collisions: state.collisions + 1, say: advice, collision, question };
  return nextState(state.collisions < 1 ? 'settle' : 'collide', now);
}

/** No one reviews how a collision was settled, so new changes of the command's own files go to the person. */
export function takeSettled(state: ReviewState, paths: readonly string[]): ReviewStep {
  const id = state.decision?.best ?? '';
  const known = new Set((state.evidence[id]?.tampered ?? []).map(({ path }) => path));
  if (paths.every((path) => known.has(path))) return nextState('merge', state);
  const what = `changed what the command is made of while it settled a collision: ${paths.slice(0, MOST_NAMED).join(', ')}. `;
  return nextState('collide', {
    ...state,
    say: `You ${what}Restore that as it is on the other side, and resolve the rest.`,
    collision: {
      code: 'TAMPERED',
      class: 'logic',
      message: `${id} ${what}It was not merged.`,
      hint: `What it made of both sides is in its workspace: troupe diff RUN --agent ${id}`,
    },
    question: `${id} was chosen, and ${what}Its workspace holds what it made of both sides; troupe show RUN names the folder.\nAnswer "again" to have it merged as it is there now, "stop" to leave it unmerged, or say how it is to be settled: ${id} hears it and tries once more.`,
  });
}

/** Any text besides the two words is advice for the author. */
export function takeCollisionAnswer(state: ReviewState, answer: string): ReviewStep {
  const said = answer.trim();
  switch (said.toLowerCase()) {
    case '':
      return nextState('collide', state);
    case 'stop':
      return nextState('blocked', { ...state, problem: state.collision });
    case 'again':
      return nextState('merge', state);
    default:
      return nextState('settle', { ...state, say: `A person says how to resolve it: ${said}\n\n${state.say}` });
  }
}

export function foundTampered(state: ReviewState, id: string, tampered: CommandEvidence['tampered']): ReviewStep {
  const paths = tampered.map(({ path }) => path).join(', ');
  const why = `It changed what the command is made of, so that no result of it counts: ${paths}.`;
  return leaveUnverified(state, { implementation: id, code: 'TAMPERED', why });
}

/** Nothing is delivered; the best so far stays where it is, marked as not verified. */
function leaveUnverified(state: ReviewState, unverified: Unverified & Pick<Failure, 'code'>): ReviewStep {
  const { implementation: id, code, why } = unverified;
  const before = state.problem ?? { code, message: '' };
  // The facts about the files come first: the rest is long.
  const message = `The best so far, ${id}, is NOT VERIFIED: ${why} ${before.message}`.trim();
  const hint = `See what was red: troupe compare RUN. Take it marked as not verified: troupe deliver RUN --agent ${id} --unverified`;
  return nextState('partial', { ...state, unverified, problem: { ...before, message, hint } });
}

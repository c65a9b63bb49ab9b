import { nextState } from '../../../core/model/decision.ts';
import { type CommandTried, type ReviewStep } from './review-event.ts';
import type { CommandEvidence, ReviewBasis, ReviewState } from './review-state.ts';

export const startReview = (state: ReviewState, { command }: ReviewBasis): ReviewStep =>
  nextState(command === '' ? 'implement' : 'try_verify', state);

/**
 * The user's command on the untouched project, before any agent is paid. A red result is expected, since the work is still to be
 * done; a command that cannot be run at all would make all of it red, so the person decides.
 */
export function takeTried(state: ReviewState, { unusable }: CommandTried): ReviewStep {
  if (unusable === null) return nextState('implement', state);
  const question = `The command that is to show whether it works cannot be run: ${unusable}\nNo agent has started. ${WAYS}`;
  return nextState('ask_verify', { ...state, unusable, question });
}

const WAYS =
  'Answer with another command; "keep" where it is the work itself that brings what is missing; "without" to continue without evidence; or "stop".';

export function takeCommandAnswer(state: ReviewState, answer: string): ReviewStep {
  const said = answer.trim();
  const hasWork = state.alive.length > 0;
  switch (said.toLowerCase()) {
    case '':
      return nextState('ask_verify', state);
    case 'stop':
      return nextState('unusable', { ...state, problem: stopped(state.unusable, hasWork) });
    case 'keep':
      return nextState(hasWork ? 'pack' : 'implement', state);
    case 'without':
      return nextState(hasWork ? 'pack' : 'implement', { ...state, command: '', evidence: {} });
    default:
      return nextState(hasWork ? 'verify' : 'try_verify', { ...state, command: said });
  }
}

const stopped = (why: string, hasWork: boolean) => ({
  code: 'VERIFY_UNUSABLE' as const,
  message: `The command cannot be run, so a person stopped it. ${why}`,
  hint: hasWork ? ASK_AGAIN : 'Fix the command, or what it needs, and start a new run.',
});

/** The implementations are paid for. */
const ASK_AGAIN =
  'The implementations are kept. Fix the command, or what it needs, then answer the question again: troupe rollback RUN --to ask_verify, then troupe resume RUN';

/** Red is an answer like green; only a command that could be run on no implementation is asked about again. */
export function takeVerified(state: ReviewState, seen: ReviewState['evidence'], { command }: ReviewBasis): ReviewStep {
  const now = { ...state, evidence: { ...state.evidence, ...seen } };
  if (state.revisions > 0) return nextState('pack', now);
  const isUsable = state.units.some(({ id }) => now.evidence[id]?.isUnusable !== true);
  const first = now.evidence[state.alive[0] ?? ''];
  return isUsable || first === undefined ? nextState('pack', now) : askAboutCommand(now, command, first);
}

function askAboutCommand(state: ReviewState, command: string, { exitCode, output }: CommandEvidence): ReviewStep {
  const printed = output === '' ? '' : `\n${output.slice(-600)}`;
  const unusable = `\`${command}\` ended with exit code ${exitCode}.${printed}`;
  const question = `The command could not be run on any of the ${state.alive.length} implementations: ${unusable}\nNo reviewer was asked yet. ${WAYS}`;
  return nextState('ask_verify', { ...state, unusable, question });
}

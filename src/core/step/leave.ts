import { evaluate, evaluateProgram, writtenAt } from '../evaluate/evaluation.ts';
import type { Patch } from '../record/patch.ts';
import type { JsonObject } from '../model/json.ts';
import { reach } from '../model/limits.ts';
import type { Failure, Outcome } from '../model/outcome.ts';
import type { StepProgress } from './progress.ts';
import { settle } from './settle.ts';
import type { Transition, WorkState } from '../model/workflow.ts';

/**
 * Leaves by the first transition whose condition holds. No match is an error (L3), and so is a condition that throws.
 * An outcome that the state does not handle ends the run with it.
 */
export function leave(progress: StepProgress, state: WorkState): boolean {
  const result = progress.snapshot.current.result ?? { outcome: 'ok', output: null, failure: null };
  const transitions = result.outcome === 'ok' ? state.transitions : state.on[result.outcome];
  if (transitions === undefined) {
    settle(progress, result);
    return false;
  }
  const locals: JsonObject = {
    result: result.output,
    outcome: result.outcome,
    failure: result.failure === null ? null : { ...result.failure },
  };
  const chosen = choose(progress, state, { transitions, outcome: result.outcome, locals });
  return chosen === null ? false : take(progress, state, chosen);
}

interface Choice {
  readonly transition: Transition;
  readonly index: number;
  readonly outcome: Outcome;
  readonly locals: JsonObject;
}

function choose(
  progress: StepProgress,
  state: WorkState,
  from: { readonly transitions: readonly Transition[]; readonly outcome: Outcome; readonly locals: JsonObject },
): Choice | null {
  for (const [index, transition] of from.transitions.entries()) {
    if (transition.when !== null) {
      const place = {
        key: `when/${from.outcome}/${index}`,
        what: `The condition of transition ${index + 1} (to ${transition.target}) of state ${state.name}`,
        locals: from.locals,
        at: transition.at,
      };
      const holds = evaluate(progress, transition.when, place);
      if (holds.kind === 'pending') return null;
      if (holds.kind === 'failed') return giveUp(progress, holds.failure);
      if (!holds.value) continue;
    }
    return { transition, index, outcome: from.outcome, locals: from.locals };
  }
  return giveUp(progress, {
    code: 'NO_TRANSITION',
    message: `No transition of state ${state.name}${writtenAt(progress, state.at)} matched after the outcome ${from.outcome}.`,
    class: 'logic',
    hint: 'Add a last transition with the condition "true", or widen one of the conditions.',
  });
}

function giveUp(progress: StepProgress, failure: Failure): null {
  settle(progress, { outcome: 'failed', output: null, failure });
  return null;
}

function take(progress: StepProgress, state: WorkState, choice: Choice): boolean {
  const { transition, index, outcome, locals } = choice;
  let patch: Patch | null = null;
  if (transition.assign !== null) {
    const place = {
      key: `assign/${outcome}/${index}`,
      what: `The script before ${transition.target} of state ${state.name}`,
      locals,
      at: transition.at,
    };
    const assigned = evaluateProgram(progress, transition.assign, place);
    if (assigned.kind === 'pending') return false;
    if (assigned.kind === 'failed') {
      giveUp(progress, assigned.failure);
      return false;
    }
    patch = assigned.value;
  }
  return enterState(progress, transition.target, { patch, from: { state: state.name, outcome, transition: index } });
}

/** Enters a state, unless it was entered too often: then the run pauses before it (SM9). */
export function enterState(
  progress: StepProgress,
  state: string,
  how: { readonly patch: Patch | null; readonly from: { state: string; outcome: Outcome; transition: number } | null },
): boolean {
  const { visits, limits } = progress.snapshot;
  const visit = (Object.hasOwn(visits, state) ? (visits[state] ?? 0) : 0) + 1;
  if (visit > limits.iterations) {
    reach(progress, { limit: 'iterations', allowed: limits.iterations, used: visit - 1, state });
    return false;
  }
  progress.record({ kind: 'state.entered', state, visit, from: how.from, patch: how.patch });
  return true;
}

import { type Decision, nextState } from '../../../core/model/decision.ts';
import { unreachable } from '../../../core/model/fault.ts';
import type { Outcome } from '../../../core/model/outcome.ts';
import { neededBy, newestVersions } from './newest-versions.ts';
import {
  againState,
  type CollectedOutputs,
  NUDGES,
  type PhasePlan,
  type PhaseProblem,
  type PhaseProgress,
  type PhaseReading,
  type PhaseResult,
  playerState,
  SETTLES,
} from './phase-state.ts';
import { criterionText, firstOrder, type PhaseBegun } from './phase-text.ts';

/** All that a phase knows besides where it stands. */
export interface PhaseFacts {
  readonly plan: PhasePlan;
  readonly reading: PhaseReading;
  /** Results of the phases before it. */
  readonly phases: Readonly<Record<string, PhaseResult | null>>;
  /** The phase that wants it again; null where it runs by itself. */
  readonly caller: string | null;
}

export type PhaseEvent =
  /** The templates were read; `problem` where something that they read is missing. */
  | { readonly kind: 'read'; readonly problem: PhaseProblem | null }
  | { readonly kind: 'begun'; readonly begun: PhaseBegun }
  /** The turn of an agent failed. */
  | { readonly kind: 'lost'; readonly outcome: Outcome; readonly problem: PhaseProblem }
  | { readonly kind: 'collected'; readonly made: CollectedOutputs }
  /** Outputs are missing or wrong; `text` explains it to the agent. */
  | { readonly kind: 'incomplete'; readonly text: string; readonly problem: PhaseProblem }
  | { readonly kind: 'merged' }
  /** `advice` is for the agent that is to settle it. */
  | {
      readonly kind: 'unmerged';
      readonly outcome: Outcome;
      readonly advice: string | null;
      readonly problem: PhaseProblem;
    }
  | { readonly kind: 'reran'; readonly phase: string; readonly made: CollectedOutputs }
  /** A step of the engine, or a repeated phase, failed. */
  | { readonly kind: 'broken'; readonly problem: PhaseProblem };

/** Its notes are reported on the bus: why the phase failed. */
export type PhaseDecision = Decision<PhaseProgress, { readonly go: string }, PhaseProblem>;

const UNBEGUN: PhaseProgress = {
  say: '',
  since: null,
  owed: [],
  needs: [],
  dependencies: [],
  handoff: { from: [], successCriteria: [] },
  checks: [],
  made: null,
  rerun: {},
  player: 0,
  timeouts: 0,
  nudges: 0,
  settles: 0,
  rounds: 0,
  isFixing: false,
  isUncollected: false,
  isUsedUp: false,
  problem: null,
};

/** The next step of a phase: begin, ask its agent again or another one, merge, repeat, or end. Pure. */
export function decidePhase(facts: PhaseFacts, known: PhaseProgress | null, event: PhaseEvent): PhaseDecision {
  return take(facts, known ?? UNBEGUN, event);
}

function take(facts: PhaseFacts, state: PhaseProgress, event: PhaseEvent): PhaseDecision {
  switch (event.kind) {
    case 'read':
      return afterReading(facts, state, event.problem);
    case 'begun':
      return begin(facts, state, event.begun);
    case 'lost':
      return afterLostTurn(facts, state, event);
    case 'collected':
      return collect(facts, state, event.made);
    case 'incomplete':
      return correct(state, event);
    case 'merged':
      return afterMerge(state);
    case 'unmerged':
      return settle(state, event);
    case 'reran':
      return goRound(facts, state, event);
    case 'broken':
      return fail(state, event.problem);
    default:
      return unreachable(event);
  }
}

const go = (state: PhaseProgress, next: string): PhaseDecision => nextState(next, state);

function afterReading(facts: PhaseFacts, state: PhaseProgress, problem: PhaseProblem | null): PhaseDecision {
  const { plan, reading } = facts;
  const hasWorked = state.made !== null;
  if (problem !== null) return go({ ...state, problem }, 'unread');
  if (!reading.wanted) return hasWorked ? go({ ...state, isUsedUp: false }, afterWork(plan)) : go(state, 'skipped');
  return hasWorked ? nextRound(facts, state) : go(prepared(facts, state), 'begin');
}

function nextRound(facts: PhaseFacts, state: PhaseProgress): PhaseDecision {
  const { plan } = facts;
  const { rounds = 1, condition = '' } = plan.loop ?? {};
  if (state.rounds + 1 < rounds) {
    // Each round begins with the phase's own agent, and with all its tries.
    const next = { ...state, rounds: state.rounds + 1, nudges: 0, timeouts: 0, player: 0 };
    return go(prepared(facts, next), 'begin');
  }
  const usedUp: PhaseProblem = {
    code: 'FIX_ROUNDS_USED',
    message: `After ${rounds} round${rounds === 1 ? '' : 's'} of ${plan.id} its condition still holds: ${condition}`,
    hint: 'The files are kept as they are. Give more rounds with max_iterations, or look at the last report.',
  };
  // The work is kept: separate files are merged first.
  return go({ ...state, isUsedUp: true, problem: usedUp }, plan.isApart ? 'home' : 'used_up');
}

const afterWork = ({ isApart }: PhasePlan): string => (isApart ? 'home' : 'done');

function prepared({ plan, reading, phases, caller }: PhaseFacts, state: PhaseProgress): PhaseProgress {
  const needs = neededBy(reading, { ...phases, ...state.rerun });
  const { criteria } = reading;
  return {
    ...state,
    needs,
    dependencies: needs.flatMap(({ artifacts }) => artifacts.map(({ id }) => id)),
    handoff: { from: caller === null ? plan.from : [caller], successCriteria: criteria.map(criterionText) },
    checks: criteria.flatMap((one) => (typeof one === 'object' && 'command' in one ? [one.command] : [])),
  };
}

function begin({ plan, reading }: PhaseFacts, state: PhaseProgress, begun: PhaseBegun): PhaseDecision {
  const { since } = begun;
  const owed = reading.outputs.map((one) => ({ ...one, since }));
  return go({ ...state, since, owed, say: firstOrder(plan, reading, begun) }, playerState(state.player));
}

/** An agent that ran out of time is asked again; after that, and after a failure, the next one takes over. */
function afterLostTurn(
  facts: PhaseFacts,
  state: PhaseProgress,
  { outcome, problem }: Extract<PhaseEvent, { kind: 'lost' }>,
): PhaseDecision {
  const { players, timeoutRetries } = facts.plan;
  if (outcome === 'timeout' && state.timeouts < timeoutRetries) {
    return go({ ...state, timeouts: state.timeouts + 1 }, playerState(state.player));
  }
  const player = state.player + 1;
  if (player < players) return go({ ...state, problem, player }, playerState(player));
  return fail(state, outOfTime(facts.plan, state, problem));
}

/** In the words of the file: the engine's name a state. */
function outOfTime({ id, timeoutText }: PhasePlan, { timeouts }: PhaseProgress, problem: PhaseProblem): PhaseProblem {
  if (problem.code !== 'TIMEOUT' || !/^(?:work|fallback_\d+) took longer/.test(problem.message)) return problem;
  const times = timeouts > 0 ? `, ${timeouts + 1} times` : '';
  return {
    ...problem,
    message: `Phase "${id}" took longer than its timeout${timeoutText}${times}.`,
    hint: 'Give it more time with timeout: (seconds), or more tries with errors.timeout_retries.',
  };
}

function collect({ plan, phases }: PhaseFacts, state: PhaseProgress, made: CollectedOutputs): PhaseDecision {
  const done = { ...state, made, isFixing: false, isUncollected: false };
  if (plan.loop === null) return go(done, afterWork(plan));
  const rerun = { ...state.rerun, ...newestVersions({ ...phases, ...state.rerun }, made) };
  return go({ ...done, rerun }, againState(0));
}

/** Sends the agent the list of missing outputs twice; then the phase has failed with that list. */
function correct(state: PhaseProgress, { text, problem }: Extract<PhaseEvent, { kind: 'incomplete' }>): PhaseDecision {
  // While it fixes a refused merge, the merge says what is still wrong.
  if (state.isFixing) return go({ ...state, isFixing: false, isUncollected: true }, 'home');
  if (state.nudges >= NUDGES) return fail(state, problem);
  return go({ ...state, nudges: state.nudges + 1, say: text }, playerState(state.player));
}

function afterMerge(state: PhaseProgress): PhaseDecision {
  if (state.isUncollected) return go({ ...state, isUncollected: false }, 'collect');
  return go(state, state.isUsedUp ? 'used_up' : 'done');
}

/** The agent of a phase settles conflicts with the others, and fixes commands that fail together with their work. */
function settle(
  state: PhaseProgress,
  { outcome, advice, problem }: Extract<PhaseEvent, { kind: 'unmerged' }>,
): PhaseDecision {
  const isRefused = outcome === 'blocked' || (outcome === 'failed' && problem.code === 'MERGE_NOT_VERIFIED');
  const mayFix = state.settles < SETTLES && problem.code !== 'MERGE_NOT_FIXED';
  if (!isRefused || !mayFix || advice === null) return fail(state, problem);
  const say = `${advice}\nThe work of the other phases stays: keep what both sides intended.`;
  return go({ ...state, settles: state.settles + 1, isFixing: true, player: 0, say }, playerState(0));
}

/** After each round what is judged is made again, and then the condition is read again. */
function goRound(
  { plan }: PhaseFacts,
  state: PhaseProgress,
  { phase, made }: Extract<PhaseEvent, { kind: 'reran' }>,
): PhaseDecision {
  const again = plan.loop?.again ?? [];
  const next = again.indexOf(phase) + 1;
  const rerun = { ...state.rerun, ...made.rerun, [phase]: { outcome: 'ok', output: made } };
  return go({ ...state, rerun }, next < again.length ? againState(next) : 'start');
}

function fail(state: PhaseProgress, problem: PhaseProblem): PhaseDecision {
  return nextState(problem.class === 'timeout' ? 'timed_out' : 'failed', { ...state, problem }, [problem]);
}

import type { Json } from '../../../core/model/json.ts';
import { countedInWords, chooseRoute } from './choose-route.ts';
import { clearState, type QuestProblem } from './quest-state.ts';
import { orderOf, requiredRole } from './quest-table.ts';
import { askText, continueText } from './quest-texts.ts';
import { replyBy, saidSignal, type HandedCall, type SaidSignal } from './signal-said.ts';
import { splitStep } from './split-step.ts';
import { countTry, giveUpStep, stacked, STEP_STATES, topOf, withTop } from './step-state.ts';
import type { StepMatter, StepMove, StepState } from './step-state.ts';
import { calledText, calleeDone, stepOrder } from './step-texts.ts';

/** Follows a signal of the role that speaks. */
export function takeStepSignal(given: StepMatter, calls: readonly HandedCall[]): StepMove {
  const signal = saidSignal(calls, 'The step is split.');
  const matter = { ...given, state: countTry(given.state, signal.name) };
  const { table, input, state } = matter;
  const top = topOf(state);
  const count = top.tries[signal.name] ?? 0;
  const chain = chainText(state, signal.targetRole);
  const followed = chooseRoute(signal, { role: top.role, rules: table.step[top.role], count, chain });
  if (followed.kind === 'give up') return giveUpStep(matter, followed);
  switch (followed.to) {
    case 'next':
      return complete(matter, signal, replyBy(calls, 'plan_steps'));
    case 'ask': {
      const question = askText(`Step ${input.step.id}, ${top.role}`, signal);
      return { to: STEP_STATES.ask, state: { ...state, question } };
    }
    case 'continue':
      return { to: clearState(top.role), state: { ...state, say: continueText(errandOf(matter), signal) } };
    default:
      return callIn(matter, signal, followed.to === 'followup' ? signal.targetRole : followed.to);
  }
}

/** The first prompt of the role that speaks. */
function errandOf({ table, input, state }: StepMatter): string {
  const { role, errand } = topOf(state);
  return errand ?? stepOrder(input, table.step[role]);
}

const chainText = ({ stack }: StepState, target: string): string =>
  [...stack.map(({ role }) => role), target].join(' -> ');

/** Another role works first. It is put on top of the one that asks. */
function callIn(matter: StepMatter, signal: SaidSignal, target: string): StepMove {
  const { table, input, state } = matter;
  const resume = signal.resume ?? signal.name !== 'needs-role-followup';
  const problem = callProblem(matter, target, resume);
  if (problem !== null) return giveUpStep(matter, problem);
  const top = topOf(state);
  const duty = table.step[target]?.does;
  const errand = calledText(input, {
    caller: top.role,
    reason: signal.reason || signal.question || signal.progress,
    context: signal.context || signal.continuationPoint,
    isKnown: target === (input.step.begin ?? requiredRole(table.step, 'implement')),
    canSplit: duty === 'split',
    order: duty === 'split' || duty === 'help' ? orderOf(table.step, target) : '',
  });
  const waiting = withTop(state, { ...top, resume });
  return { to: target, state: { ...waiting, say: errand, stack: [...waiting.stack, stacked(target, errand)] } };
}

function callProblem({ table, state }: StepMatter, target: string, resume: boolean): QuestProblem | null {
  const chain = chainText(state, target);
  const top = topOf(state);
  const waiting = [...state.stack.filter((one) => one.resume), ...(resume ? [top] : [])];
  if (table.step[target] === undefined) {
    return { code: 'FOLLOWUP_UNKNOWN', message: `${target} takes no part in a step (${chain}).` };
  }
  if (waiting.some(({ role }) => role === target)) {
    return { code: 'FOLLOWUP_CYCLE', message: `they wait for each other: ${chain}.` };
  }
  const most = table.limits.followups;
  if (state.stack.length <= most) return null;
  return { code: 'FOLLOWUP_DEPTH', message: `more than ${countedInWords(most, 'followup')} of followups: ${chain}.` };
}

/** A caller that asked to continue does so, in its own session. */
function complete(matter: StepMatter, signal: SaidSignal, plan: Json | undefined): StepMove {
  const { role } = topOf(matter.state);
  if (plan === undefined || matter.table.step[role]?.does !== 'split') return goBack(matter, signal.summary);
  const split = splitStep(matter, plan);
  return split.kind === 'refused' ? split.move : goBack({ ...matter, state: split.state }, split.summary);
}

function goBack({ table, input, state }: StepMatter, summary: string): StepMove {
  const done = topOf(state).role;
  const waiting = state.stack.findLastIndex(({ resume }) => resume);
  const caller = state.stack[waiting];
  if (caller === undefined) {
    return { to: 'over', state: { ...state, stack: [], summary: state.phase === 'work' ? summary : state.summary } };
  }
  const stack = [...state.stack.slice(0, waiting), { ...caller, resume: false }];
  // A waiting tester tests the changes, not the claims.
  const to = table.step[caller.role]?.does === 'test' ? STEP_STATES.look : caller.role;
  return { to, state: { ...state, stack, say: calleeDone(input, done, summary) } };
}

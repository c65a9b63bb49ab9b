import { type Decision, nextState } from '../../../core/model/decision.ts';
import { unreachable } from '../../../core/model/fault.ts';
import { isJsonObject } from '../../../core/model/json.ts';
import { countedInWords } from './choose-route.ts';
import { textList } from './read-text.ts';
import { type EndedWork } from './quest-state.ts';
import { orderOf, requiredRole, roleFor } from './quest-table.ts';
import { answeredText } from './quest-texts.ts';
import { takeStepSignal } from './take-step-signal.ts';
import { giveUpStep, isNew, stacked, STEP_STATES, topOf } from './step-state.ts';
import type { StepEvent, StepMatter, StepMove, StepState } from './step-state.ts';
import { changesText, fixOrder, handInText, settleText, SPLIT_TEXT, stepOrder, testOrder } from './step-texts.ts';
import { failedOutput, printedBy } from './tried-ward.ts';
import { joinWard } from './ward-command.ts';

/** Decides after an event of one step: one event in, the next state out. Pure, and called once per event. */
export function decideStep(matter: StepMatter, event: StepEvent): Decision<StepState> {
  const { to, state } = move(matter, event);
  return nextState(to, ready({ ...matter, state }));
}

function move(matter: StepMatter, event: StepEvent): StepMove {
  const { state } = matter;
  switch (event.kind) {
    case 'started':
      return start(matter);
    case 'handed':
      return route(matter, event);
    case 'answered':
      return speak({ ...state, say: answeredText(event.answer) });
    case 'seen':
      return speak({ ...state, say: changesText(state.say, event.diff) });
    case 'checked':
      return checkStep(matter, event);
    case 'merged':
      return afterMerge(matter, event);
    default:
      return unreachable(event);
  }
}

const speak = (state: StepState): StepMove => ({ to: topOf(state).role, state });

/** What the next role owes, and how it hands it in. */
function ready({ table, input, state }: StepMatter): StepState {
  const top = state.stack.at(-1);
  if (top === undefined) return state;
  const duty = table.step[top.role]?.does;
  // A role that was called in answers to its caller; the last word on the step is checked like the implementer's.
  const isWaitedFor = duty !== 'implement' && state.stack.some(({ resume }) => resume);
  const owed = isWaitedFor || duty === 'split' ? { files: [], commands: [] } : state.expects;
  return { ...state, owed, hand_in: `${handInText(input)}${duty === 'split' ? SPLIT_TEXT : ''}` };
}

function start({ table, input, state }: StepMatter): StepMove {
  const { step } = input;
  const who = step.begin ?? requiredRole(table.step, 'implement');
  return speak({
    ...state,
    ward: joinWard(input.ward),
    stack: [stacked(who, null)],
    expects: { files: step.files, commands: step.checks ?? [] },
    say: stepOrder(input, table.step[who]),
  });
}

function route(matter: StepMatter, { calls }: Extract<StepEvent, { readonly kind: 'handed' }>): StepMove {
  const moved = takeStepSignal(matter, calls);
  return moved.to === 'over' ? phaseOver({ ...matter, state: moved.state }) : moved;
}

/** Everyone who spoke is done. */
function phaseOver({ input, ...matter }: StepMatter): StepMove {
  const { state } = matter;
  if (state.phase !== 'work') return { to: STEP_STATES.home, state };
  return input.ward.length === 0 ? testOrMerge({ ...matter, input }) : { to: STEP_STATES.ward, state };
}

/** New work is tested; a fix alone was tested before. */
function testOrMerge(matter: StepMatter): StepMove {
  const { table, input, state } = matter;
  const tester = roleFor(table.step, 'test');
  if (tester === undefined || state.tested || !isNew(matter)) return { to: STEP_STATES.home, state };
  const by = requiredRole(table.step, 'implement');
  const say = testOrder(input, state, { by, order: orderOf(table.step, tester) });
  return {
    to: STEP_STATES.look,
    state: { ...state, tested: true, phase: 'test', say, stack: [stacked(tester, say)] },
  };
}

const MOST_PASSED = 2000;

function checkStep(matter: StepMatter, ended: EndedWork): StepMove {
  const { state } = matter;
  if (ended.outcome === 'ok') {
    return testOrMerge({ ...matter, state: { ...state, ward_passed: printedBy(ended).slice(-MOST_PASSED) } });
  }
  return fix({ ...matter, state: { ...state, phase: 'work' } }, { output: failedOutput(ended), why: '' });
}

/** Ward failed, here or on the merged files, which are then in this workspace. */
function fix({ table, input, state }: StepMatter, { output, why }: Record<'output' | 'why', string>): StepMove {
  const who = requiredRole(table.step, 'fix');
  const say = fixOrder(input, { output, order: orderOf(table.step, who) });
  const now = { ...state, fixes: state.fixes + 1, say, stack: [stacked(who, say)] };
  const most = table.limits.fixes;
  if (now.fixes <= most) return { to: STEP_STATES.look, state: now };
  const end = `Ward still fails after ${countedInWords(most, 'fix', 'fixes')}. ${why === '' ? output.slice(-1000) : why}`;
  return giveUpStep({ table, input, state: now }, { code: 'WARD_RED', message: end });
}

/** Into the files of the quest, one step after the other; Ward ran on the merged files first. */
function afterMerge(matter: StepMatter, ended: EndedWork): StepMove {
  const { state } = matter;
  const { outcome, failure } = ended;
  if (outcome === 'ok') return { to: STEP_STATES.stop, state: merged(matter, ended) };
  const message = failure?.message ?? '';
  // A fix that changed no file is not tried again.
  if (failure?.code === 'MERGE_NOT_FIXED') return giveUpStep(matter, failure);
  const advice = textIn(ended, 'advice');
  const now: StepState = { ...state, phase: 'merge' };
  if (outcome === 'blocked') return settle({ ...matter, state: now }, { advice: advice ?? '', message });
  return fix({ ...matter, state: now }, { output: advice ?? message, why: message });
}

function settle({ table, input, state }: StepMatter, conflict: Record<'advice' | 'message', string>): StepMove {
  const who = input.step.begin ?? requiredRole(table.step, 'implement');
  const say = settleText(input, conflict.advice);
  const now = { ...state, conflicts: state.conflicts + 1, say, stack: [stacked(who, say)] };
  const most = table.limits.conflicts;
  if (now.conflicts <= most) return speak(now);
  const message = `its conflicts with other steps were not settled in ${countedInWords(most, 'try', 'tries')}. ${conflict.message}`;
  return giveUpStep({ table, input, state: now }, { code: 'MERGE_NOT_SETTLED', message });
}

/** The checks of a step that was split hold only when its parts are done: the last of them takes them over. */
function merged({ input, state }: StepMatter, ended: EndedWork): StepState {
  const { parts } = state;
  const files = isJsonObject(ended.output) ? textList(ended.output['files']) : [];
  const last = parts.findLast(({ id }) => !parts.some(({ after }) => after.includes(id)));
  const checks = input.step.checks ?? [];
  if (last === undefined || checks.length === 0) return { ...state, files };
  const after = parts.filter((part) => part !== last).map(({ id }) => id);
  const changed = { ...last, after, checks: [...checks, ...last.checks] };
  return { ...state, files, parts: parts.map((part) => (part === last ? changed : part)) };
}

function textIn({ output }: EndedWork, key: string): string | null {
  const text = isJsonObject(output) ? output[key] : null;
  return typeof text === 'string' ? text : null;
}

import { type Decision, nextState } from '../../../core/model/decision.ts';
import { isJsonObject, type Json } from '../../../core/model/json.ts';
import { beginPlan, forRequirements } from './begin-role.ts';
import { textList } from './read-text.ts';
import {
  QUEST_STATES,
  type DoneStep,
  type EndedUnit,
  type QuestEvent,
  type QuestMatter,
  type QuestState,
} from './quest-state.ts';

/** The slots have finished their work. */
export function decideAfterWork(
  matter: QuestMatter,
  { units, failure }: Extract<QuestEvent, { readonly kind: 'worked' }>,
): Decision<QuestState> {
  const { input, state } = matter;
  const kind = state.todo[0]?.begin === undefined ? 'step' : 'repair';
  const finished = units.map((unit) => doneStep(unit, kind));
  const now: QuestState = { ...state, done: [...state.done, ...finished], problem: null };
  if (state.waiting === 'role') return backToRole({ ...matter, state: now }, finished[0]);
  if (now.done.some(({ outcome }) => outcome === 'ok')) {
    return nextState(input.ward.length === 0 ? QUEST_STATES.review : QUEST_STATES.ward, now);
  }
  const message = `No step of the quest came out ok. ${failure?.message ?? ''}`;
  return nextState(QUEST_STATES.gaveUp, { ...now, problem: { code: 'NOTHING_DONE', message } });
}

/** The role that asked for the work continues, or starts again. */
function backToRole(matter: QuestMatter, help: DoneStep | undefined): Decision<QuestState> {
  const { table, state } = matter;
  const [asked] = state.todo;
  const isPlan = table.quest[state.who]?.does === 'plan';
  if (asked?.resume !== true) return isPlan ? beginPlan(matter) : nextState(state.who, forRequirements(matter));
  const say = `${asked.begin ?? ''} ${helpText(help)}\n${isPlan ? GO_ON_PLANNING : GO_ON_ASKING}`;
  return nextState(state.who, { ...state, say });
}

function helpText(help: DoneStep | undefined): string {
  if (help === undefined) return 'could not do it.';
  const end = help.outcome === 'ok' ? 'is done' : `could not do it (${help.outcome})`;
  return `${end}: ${help.summary ?? ''}`;
}

const GO_ON_PLANNING = 'Continue with the plan and hand it in with `plan_steps`.';
const GO_ON_ASKING = 'Continue with the requirements and hand them in with `set_requirements`.';

function doneStep({ id, outcome, reason, output }: EndedUnit, kind: DoneStep['kind']): DoneStep {
  const given: Readonly<Record<string, Json>> = isJsonObject(output) ? output : {};
  const summary = typeof given['summary'] === 'string' ? given['summary'] : null;
  return { id, kind, outcome, summary: reason ?? summary, files: textList(given['files']) };
}

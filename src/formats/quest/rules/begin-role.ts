import { go, type QuestDecision, type QuestMatter, type QuestState } from './quest-state.ts';
import { orderOf, requiredRole } from './quest-table.ts';
import { planText, requirementsText } from './quest-texts.ts';

/** The role that hands in the requirements, with all that it is told first. */
export function forRequirements({ table, input, state }: QuestMatter): QuestState {
  const who = requiredRole(table.quest, 'requirements');
  const say = requirementsText(input, orderOf(table.quest, who));
  return { ...state, who, errand: say, say };
}

/** The planner begins, or begins again. */
export function beginPlan({ table, input, state }: QuestMatter): QuestDecision<QuestState> {
  const who = requiredRole(table.quest, 'plan');
  const say = planText(input, state, orderOf(table.quest, who));
  return go(who, { ...state, who, errand: say, say });
}

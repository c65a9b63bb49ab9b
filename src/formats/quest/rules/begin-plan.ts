import { go, type QuestDecision, type QuestMatter, type QuestState } from './quest-state.ts';
import { orderOf, requiredRole } from './quest-table.ts';
import { planText } from './quest-texts.ts';

/** The planner begins, or begins again. */
export function beginPlan({ table, input, state }: QuestMatter): QuestDecision<QuestState> {
  const who = requiredRole(table.quest, 'plan');
  const say = planText(input, state, orderOf(table.quest, who));
  return go(who, { ...state, who, errand: say, say });
}

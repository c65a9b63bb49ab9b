import { type Decision, nextState } from '../../../core/model/decision.ts';
import { type QuestMatter, type QuestState } from './quest-state.ts';
import { orderOf, requiredRole, type RoleRules } from './quest-table.ts';
import { planText, requirementsText, reviewText } from './quest-texts.ts';

/** The role that hands in the requirements, with its first prompt. */
export function forRequirements({ table, input, state }: QuestMatter): QuestState {
  const who = requiredRole(table.quest, 'requirements');
  const say = requirementsText(input, orderOf(table.quest, who));
  return { ...state, who, errand: errandFor(table.quest[who], say), say };
}

/** The planner begins, or begins again. */
export function beginPlan({ table, input, state }: QuestMatter): Decision<QuestState> {
  const who = requiredRole(table.quest, 'plan');
  const say = planText(input, state, orderOf(table.quest, who));
  return nextState(who, { ...state, who, errand: errandFor(table.quest[who], say), say });
}

/** The reviewer gets the whole and its changes. */
export function beginReview({ table, input, state }: QuestMatter, diff: string): Decision<QuestState> {
  const who = requiredRole(table.quest, 'review');
  const say = reviewText(input, { state, diff, order: orderOf(table.quest, who) });
  return nextState(who, { ...state, who, errand: errandFor(table.quest[who], say), say });
}

/** Kept only for a new session of the same role: it can be long. */
const errandFor = (role: RoleRules | undefined, say: string): string =>
  Object.values(role?.routes ?? {}).some(({ to }) => to === 'continue') ? say : '';

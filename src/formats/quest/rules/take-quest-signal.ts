import { type Decision, nextState } from '../../../core/model/decision.ts';
import type { FailureCode } from '../../../core/codes/codes.ts';
import { isJsonObject, type Json } from '../../../core/model/json.ts';
import { beginPlan } from './begin-role.ts';
import { finishQuest } from './finish-quest.ts';
import { chooseRoute } from './choose-route.ts';
import { planProblems, plannedSteps } from './plan-problems.ts';
import { clearState, QUEST_STATES, type QuestMatter, type QuestProblem, type QuestState } from './quest-state.ts';
import { askText, continueText, problemLine, problemList, uncorrectedText } from './quest-texts.ts';
import { textList } from './read-text.ts';
import { replyBy, saidSignal, type HandedCall, type SaidSignal } from './signal-said.ts';

/** Follows a signal of a role that works for the whole. */
export function takeQuestSignal(matter: QuestMatter, calls: readonly HandedCall[]): Decision<QuestState> {
  const signal = saidSignal(calls, '');
  const { table, state } = matter;
  const { who: role } = state;
  const rules = table.quest[role];
  const key = `${role} ${signal.name}`;
  const count = (state.tries[key] ?? 0) + 1;
  const isReview = rules?.does === 'review';
  const now: QuestState = {
    ...state,
    tries: { ...state.tries, [key]: count },
    findings: isReview ? findingsOf(signal, state) : state.findings,
  };
  const chain = `${role} -> ${signal.targetRole} (${signal.reason})`;
  const followed = chooseRoute(signal, { role, rules, count, chain });
  if (followed.kind === 'give up') return giveUp(now, followed);
  switch (followed.to) {
    case 'next':
      return nextPhase({ ...matter, state: now }, calls);
    case 'ask':
      return nextState(QUEST_STATES.ask, { ...now, question: askText(role, signal) });
    case 'continue':
      return nextState(clearState(role), { ...now, say: continueText(now.errand, signal) });
    default:
      return workFor({ ...matter, state: now }, { signal, count, to: followed.to });
  }
}

function findingsOf({ name, reason, context }: SaidSignal, { findings }: QuestState): string | null {
  if (name === 'complete') return null;
  return name === 'needs-role-followup' ? `${reason}\n${context}` : findings;
}

const giveUp = (state: QuestState, { code, message, hint }: QuestProblem): Decision<QuestState> =>
  nextState(QUEST_STATES.gaveUp, { ...state, problem: { code, message, ...(hint === undefined ? {} : { hint }) } });

interface WantedWork {
  readonly signal: SaidSignal;
  readonly count: number;
  readonly to: string;
}

/** Another role works first, in a step made for it. */
function workFor({ table, state }: QuestMatter, { signal, count, to }: WantedWork): Decision<QuestState> {
  const begin = to === 'followup' ? signal.targetRole : to;
  if (table.step[begin] === undefined) {
    const message = `${begin} takes no part in a step (${state.who} -> ${begin}).`;
    return giveUp(state, { code: 'FOLLOWUP_UNKNOWN', message });
  }
  const isReview = table.quest[state.who]?.does === 'review';
  const todo = {
    id: `${isReview ? 'repair' : 'help'}-${count}`,
    begin,
    files: [],
    after: [],
    acceptance: [],
    title: signal.reason || signal.question || signal.progress,
    context: signal.context || signal.continuationPoint,
    resume: signal.resume !== false,
  };
  return nextState(QUEST_STATES.work, { ...state, todo: [todo], waiting: isReview ? 'review' : 'role' });
}

/** The role is done with its part of the quest, if it handed in its output. */
function nextPhase(matter: QuestMatter, calls: readonly HandedCall[]): Decision<QuestState> {
  const { table, input, state } = matter;
  switch (table.quest[state.who]?.does) {
    case 'requirements':
      return takeRequirements(matter, replyBy(calls, 'set_requirements'));
    case 'plan':
      return takePlan(matter, replyBy(calls, 'plan_steps'));
    default:
      return finishQuest(input, state);
  }
}

function takeRequirements(matter: QuestMatter, found: Json | undefined): Decision<QuestState> {
  if (!isJsonObject(found)) {
    return tellBack(matter, {
      say: 'The requirements are still missing. Call `set_requirements`.',
      code: 'NO_REQUIREMENTS',
      why: 'No requirements were handed in.',
    });
  }
  const { requirements, contexts, observables } = found;
  return beginPlan({
    ...matter,
    state: {
      ...matter.state,
      requirements: textList(requirements),
      contexts: textList(contexts),
      observables: textList(observables),
    },
  });
}

function takePlan(matter: QuestMatter, plan: Json | undefined): Decision<QuestState> {
  if (plan === undefined) {
    return tellBack(matter, {
      say: 'The plan is still missing. Call `plan_steps`.',
      code: 'NO_PLAN',
      why: 'No plan was handed in.',
    });
  }
  const { table, state } = matter;
  const steps = plannedSteps(plan);
  const problems = planProblems(steps, table.limits.steps);
  if (problems.length > 0) {
    return tellBack(matter, {
      say: `The plan cannot be carried out:\n- ${problemList(problems)}\nCorrect this and hand in the whole plan again with \`plan_steps\`.`,
      code: 'BAD_PLAN',
      why: `The plan cannot be carried out. ${problemLine(problems)}`,
    });
  }
  const titles = steps.map(({ id, title }) => `${id}: ${title}`);
  return nextState(QUEST_STATES.work, { ...state, steps, titles, todo: steps, waiting: 'review' });
}

interface Correction {
  readonly say: string;
  readonly code: FailureCode;
  readonly why: string;
}

/** Tells the role what is wrong with what it handed in, a number of times. */
function tellBack({ table, state }: QuestMatter, { say, code, why }: Correction): Decision<QuestState> {
  const { who } = state;
  const key = `${who} told`;
  const count = (state.tries[key] ?? 0) + 1;
  const most = table.limits.corrections;
  const now = { ...state, tries: { ...state.tries, [key]: count } };
  if (count <= most) return nextState(who, { ...now, say });
  return giveUp(now, {
    code,
    message: `${why} ${uncorrectedText(who, most)}`,
    hint: `See what it handed in: troupe logs last --agent ${who}`,
  });
}

import { type Decision, nextState } from '../../../core/model/decision.ts';
import { QUEST_STATES, type QuestInput, type QuestProblem, type QuestState } from './quest-state.ts';

/** The end of a quest of which something is merged: all of it is done, or it says what is open. */
export function finishQuest({ request, ward }: QuestInput, state: QuestState): Decision<QuestState> {
  const { done, ward_output: red, findings } = state;
  const green = ward.length === 0 ? 'none' : 'green';
  const report = { request, steps: done, ward: red === null ? green : 'red', findings } as const;
  const open = [
    // Fixes that failed are found again by Ward or by the review.
    ...done.filter(({ kind, outcome }) => kind === 'step' && outcome !== 'ok').map(openText),
    ...(red === null ? [] : ['Ward fails on the whole']),
    ...(findings === null ? [] : [`review: ${findings}`]),
  ];
  if (open.length === 0) return nextState(QUEST_STATES.stop, { ...state, report, problem: null });
  const problem: QuestProblem = { code: 'QUEST_PARTIAL', message: `Not all of the quest is done: ${open.join('; ')}` };
  return nextState(QUEST_STATES.partlyDone, { ...state, report, problem });
}

const openText = ({ id, outcome, summary }: QuestState['done'][number]): string =>
  `step ${id} is ${outcome}${summary === null ? '' : `: ${summary}`}`;

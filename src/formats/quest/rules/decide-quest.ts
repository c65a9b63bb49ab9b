import { type Decision, nextState } from '../../../core/model/decision.ts';
import { unreachable } from '../../../core/model/fault.ts';
import { beginReview, forRequirements } from './begin-role.ts';
import { finishQuest } from './finish-quest.ts';
import { answeredText } from './quest-texts.ts';
import { QUEST_STATES, type EndedWork, type QuestEvent, type QuestMatter, type QuestState } from './quest-state.ts';
import { requiredRole } from './quest-table.ts';
import { takeQuestSignal } from './take-quest-signal.ts';
import { failedOutput, failedTry, printedBy, wardUnusable } from './tried-ward.ts';
import { joinWard } from './ward-command.ts';
import { decideAfterWork } from './worked-steps.ts';

/** Decides after an event of a quest: one event in, the next state out. Pure, and called once per event. */
export function decideQuest(matter: QuestMatter, event: QuestEvent): Decision<QuestState> {
  const { state } = matter;
  switch (event.kind) {
    case 'started':
      return start(matter);
    case 'tried':
      return tryWard(matter, event);
    case 'handed':
      return takeQuestSignal(matter, event.calls);
    case 'answered':
      return nextState(state.who, { ...state, say: answeredText(event.answer) });
    case 'worked':
      return decideAfterWork(matter, event);
    case 'checked':
      return checkWhole(matter, event);
    case 'seen':
      return beginReview(matter, event.diff);
    case 'unseen':
      return finishQuest(matter.input, {
        ...state,
        findings: `The whole could not be reviewed: ${event.message === '' ? 'no reason was recorded' : event.message}`,
      });
    default:
      return unreachable(event);
  }
}

function start(matter: QuestMatter): Decision<QuestState> {
  const { ward } = matter.input;
  const begun = { ...forRequirements(matter), ward: joinWard(ward) };
  return nextState(ward.length > 0 ? QUEST_STATES.tryWard : begun.who, begun);
}

/** Before any agent works. A missing command ends the quest; one that already fails is reported to the planner and the person. */
function tryWard({ input, state }: QuestMatter, ended: EndedWork): Decision<QuestState> {
  const failed = ended.outcome === 'ok' ? null : failedTry(ended, state.tried, input);
  const unusable = failed?.isUnusable === true ? [...state.unusable, failed.text] : state.unusable;
  const news = failed?.isUnusable === false ? [`Ward is red on the untouched project: ${failed.text}`] : [];
  const now = { ...state, tried: state.tried + 1, unusable, notices: [...state.notices, ...news] };
  if (now.tried < input.ward.length) return nextState(QUEST_STATES.tryWard, now, news);
  if (unusable.length === 0) return nextState(state.who, now, news);
  return nextState(QUEST_STATES.gaveUp, { ...now, problem: wardUnusable(unusable) }, news);
}

const MOST_PASSED = 2000;
const MOST_FAILED = 8000;

/** Runs Ward on the merged whole: failures are fixed in a step. */
function checkWhole({ table, input, state }: QuestMatter, ended: EndedWork): Decision<QuestState> {
  if (ended.outcome === 'ok') {
    const ward_passed = printedBy(ended).slice(-MOST_PASSED);
    return nextState(QUEST_STATES.review, { ...state, ward_output: null, ward_passed });
  }
  const count = (state.tries['ward'] ?? 0) + 1;
  const ward_output = failedOutput(ended);
  const now: QuestState = { ...state, ward_output, tries: { ...state.tries, ward: count }, waiting: 'review' };
  if (count > table.limits.whole_fixes) return finishQuest(input, now);
  const todo = {
    id: `ward-${count}`,
    begin: requiredRole(table.step, 'fix'),
    files: [],
    after: [],
    acceptance: [],
    title: 'Ward fails on the merged whole',
    context: ward_output.slice(-MOST_FAILED),
  };
  return nextState(QUEST_STATES.work, { ...now, todo: [todo] });
}

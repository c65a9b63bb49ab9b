import type { Decision } from '../../../core/model/decision.ts';
import { planOf } from '../../plan-of.ts';
import type { Json, JsonObject } from '../../../core/model/json.ts';
import type { EngineProgram, EffectContext, ProgramAnswer } from '../../../host/world.ts';
import { decideQuest } from '../rules/decide-quest.ts';
import { decideStep } from '../rules/decide-step.ts';
import { KEPT, type QuestState } from '../rules/quest-state.ts';
import type { QuestTable } from '../rules/quest-table.ts';
import type { StepState } from '../rules/step-state.ts';
import { questEvent, questInput } from './quest-event.ts';
import { stepEvent, stepInput } from './step-event.ts';

/** Decide what follows the state that a quest, or a step of it, has just left. */
export const QUEST_PROGRAMS: Readonly<Record<string, EngineProgram>> = {
  'quest.decide': async (context) => {
    const { snapshot } = context;
    const table = tableOf(context) as QuestTable;
    const state = keptIn(snapshot.data) as QuestState;
    const matter = { table, input: questInput(snapshot.data), state };
    return await answered(decideQuest(matter, questEvent(snapshot)));
  },
  'quest.decide_step': async (context) => {
    const { snapshot } = context;
    const table = tableOf(context) as Pick<QuestTable, 'step' | 'limits'>;
    const state = keptIn(snapshot.data) as StepState;
    const matter = { table, input: stepInput(snapshot.data), state };
    return await answered(decideStep(matter, stepEvent(snapshot)));
  },
};

const tableOf = ({ definition }: EffectContext): unknown => planOf(definition);

/** From this engine's own rules, by way of the journal. */
const keptIn = (data: JsonObject): unknown => data[KEPT];

function answered({ state, orders, notes }: Decision<object>): Promise<ProgramAnswer> {
  const notice = notes.length === 0 ? {} : { notice: notes.join('\n') };
  return Promise.resolve({ output: { ...orders, ...notice }, kept: state as unknown as Json });
}

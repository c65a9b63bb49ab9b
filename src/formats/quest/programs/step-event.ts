import { isJsonObject, type Json, type JsonObject } from '../../../core/model/json.ts';
import type { Snapshot } from '../../../core/fold/snapshot.ts';
import { textList, textOrEmpty } from '../rules/read-text.ts';
import type { DoneStep, TodoStep } from '../rules/quest-state.ts';
import { STEP_STATES, type FinishedStep, type StepEvent, type StepTask } from '../rules/step-state.ts';
import { answerText, callsOf } from './quest-event.ts';

/** The input of a step's run, from the quest itself. */
export function stepInput(data: JsonObject): StepTask {
  const quest = isJsonObject(data['quest']) ? data['quest'] : {};
  return {
    step: todoStep(data['step']),
    ward: textList(data['ward']),
    quest: {
      request: textOrEmpty(quest['request']),
      requirements: textList(quest['requirements']),
      contexts: textList(quest['contexts']),
      observables: textList(quest['observables']),
      steps: textList(quest['titles']),
      before: [...mergedBefore(quest['done']), ...finishedUnits(quest['units'])],
    },
  };
}

/** Other callers of a step's workflow may omit lists. */
function todoStep(given: Json | undefined): TodoStep {
  const step = isJsonObject(given) ? given : {};
  const [id, title, context] = [textOrEmpty(step['id']), textOrEmpty(step['title']), textOrEmpty(step['context'])];
  const lists = {
    files: textList(step['files']),
    after: textList(step['after']),
    acceptance: textList(step['acceptance']),
  };
  return { ...(step as Partial<TodoStep>), id, title, context, ...lists };
}

/** Steps of earlier pools of the quest. */
const mergedBefore = (done: Json | undefined): readonly FinishedStep[] =>
  (Array.isArray(done) ? (done as unknown as readonly DoneStep[]) : [])
    .filter(({ outcome }) => outcome === 'ok')
    .map(({ id, summary, files }) => ({ id, summary: summary ?? '', files }));

/** Steps that this one comes after. */
const finishedUnits = (units: Json | undefined): readonly FinishedStep[] =>
  Object.entries(isJsonObject(units) ? units : {}).map(([id, unit]) => {
    const output = isJsonObject(unit) && isJsonObject(unit['output']) ? unit['output'] : {};
    return { id, summary: textOrEmpty(output['summary']), files: textList(output['files']) };
  });

/** The last event, by the state that the run comes from. */
export function stepEvent(snapshot: Snapshot): StepEvent {
  const { last } = snapshot;
  if (last === null) return { kind: 'started' };
  const { state, outcome, output, failure } = last;
  switch (state) {
    case STEP_STATES.ask:
      return { kind: 'answered', answer: answerText(output) };
    case STEP_STATES.look:
      return { kind: 'seen', diff: textOrEmpty(output) };
    case STEP_STATES.ward:
      return { kind: 'checked', outcome, output, failure };
    case STEP_STATES.home:
      return { kind: 'merged', outcome, output, failure };
    default:
      return { kind: 'handed', calls: callsOf(snapshot, state) };
  }
}

import { isJsonObject, type Json, type JsonObject } from '../../../core/model/json.ts';
import type { Snapshot } from '../../../core/fold/snapshot.ts';
import { textList, textOrEmpty } from '../rules/read-text.ts';
import { QUEST_STATES, type EndedUnit, type QuestEvent, type QuestInput } from '../rules/quest-state.ts';
import type { HandedCall } from '../rules/signal-said.ts';

/** The input of a quest's run. */
export const questInput = (data: JsonObject): QuestInput => ({
  request: textOrEmpty(data['request']),
  ward: textList(data['ward']),
  wardFrom: textList(data['ward_from']),
});

/** The last event, by the state that the run comes from. */
export function questEvent(snapshot: Snapshot): QuestEvent {
  const { last } = snapshot;
  if (last === null) return { kind: 'started' };
  const { state, outcome, output, failure } = last;
  switch (state) {
    case QUEST_STATES.tryWard:
      return { kind: 'tried', outcome, output, failure };
    case QUEST_STATES.ward:
      return { kind: 'checked', outcome, output, failure };
    case QUEST_STATES.ask:
      return { kind: 'answered', answer: answerText(output) };
    case QUEST_STATES.work:
      return { kind: 'worked', units: unitsIn(output), failure };
    default:
      return seenOrHanded(snapshot, last);
  }
}

function seenOrHanded(snapshot: Snapshot, { state, outcome, output, failure }: LastState): QuestEvent {
  if (outcome !== 'ok') return { kind: 'unseen', message: failure?.message ?? '' };
  if (state === QUEST_STATES.reviewDiff) return { kind: 'seen', diff: textOrEmpty(output) };
  return { kind: 'handed', calls: callsOf(snapshot, state) };
}

export type LastState = NonNullable<Snapshot['last']>;

/** The structured replies of a role's last turn. */
export const callsOf = ({ agents }: Pick<Snapshot, 'agents'>, role: string): readonly HandedCall[] =>
  agents[role]?.parsingCalls ?? [];

export const answerText = (output: Json): string => (typeof output === 'string' ? output : JSON.stringify(output));

/** From the engine's own pool. */
const unitsIn = (output: Json): readonly EndedUnit[] =>
  isJsonObject(output) && Array.isArray(output['units']) ? output['units'] : [];

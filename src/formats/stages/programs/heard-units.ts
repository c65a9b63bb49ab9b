import type { EndedState, Snapshot } from '../../../core/fold/snapshot.ts';
import { isJsonObject, type Json } from '../../../core/model/json.ts';
import { STATES } from '../parse/stage-plan.ts';
import type { HeardUnit, StageItem, StageStep } from './stage-step.ts';

/** Results of a step's items, read from the end of the state before `route`. */
export function heardUnits(snapshot: Pick<Snapshot, 'last' | 'agents'>, step: StageStep | null): readonly HeardUnit[] {
  const { last } = snapshot;
  const [item] = step?.items ?? [];
  if (last === null || item === undefined) return [];
  return last.state === STATES.together ? unitsIn(last.output) : [heardAlone(last, item, snapshot)];
}

function unitsIn(output: Json): readonly HeardUnit[] {
  const units = isJsonObject(output) ? output['units'] : undefined;
  return Array.isArray(units) ? units : [];
}

function heardAlone(
  { outcome, output, failure }: EndedState,
  item: StageItem,
  { agents }: Pick<Snapshot, 'agents'>,
): HeardUnit {
  if (outcome !== 'ok') {
    const lost = failure === null ? null : { code: failure.code, class: failure.class };
    return { outcome, reason: failure?.message ?? null, output: lost };
  }
  if (item.isQuestion) return { outcome, reason: null, output };
  const { parsingCalls = [], lastResponse = '' } = agents[item.role] ?? {};
  const call = parsingCalls.at(-1);
  const said = call === undefined ? null : { name: call.name, arguments: call.arguments };
  return { outcome, reason: null, output: { call: said, text: lastResponse } };
}

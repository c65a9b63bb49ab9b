import { isJsonObject, type Json } from '../../core/json.ts';
import { replyEvent, type AgentMessage, type StageEvent, type StageFailureCode } from '../../stages/stages.ts';
import type { HeardUnit, StageItem } from './stage-step.ts';

/** Who gives messages their ids, and the time they were sent at. */
export interface EventStamp {
  readonly run: string;
  readonly task: string;
  readonly now: number;
}

export interface HeardEvent {
  readonly item: StageItem;
  readonly event: StageEvent;
  readonly isTimeout: boolean;
}

/** What has come of the items of a step, as events for the workflow. */
export function heardEvents(
  items: readonly StageItem[],
  heard: readonly HeardUnit[],
  stamp: EventStamp,
): readonly HeardEvent[] {
  return heard.flatMap((unit, at) => {
    const item = items.find(({ id }) => id === unit.id) ?? (unit.id === undefined ? items[at] : undefined);
    if (item === undefined) return [];
    const event = eventOf(item, unit, { ...stamp, task: `${stamp.task}-${at + 1}` });
    return [{ item, event, isTimeout: unit.outcome === 'timeout' }];
  });
}

function eventOf(item: StageItem, unit: HeardUnit, { run, task, now }: EventStamp): StageEvent {
  const { stage, role } = item;
  if (unit.outcome !== 'ok') return failedEvent(stage, unit);
  if (item.isQuestion) return { kind: 'answered', stage, answer: textOf(unit.output) };
  const { calls, text } = isJsonObject(unit.output) ? unit.output : {};
  const reply = {
    stage,
    role,
    outputType: item.outputType as AgentMessage['type'],
    call: lastCall(calls ?? null),
    text: textOf(text ?? null),
  };
  return replyEvent(reply, { id: `msg-${run}-${task}`, now });
}

function failedEvent(stage: string, { outcome, output, reason }: HeardUnit): StageEvent {
  const code = outcome === 'timeout' ? 'TIMEOUT' : failureCode(output);
  return { kind: 'failed', stage, code, message: reason ?? `It came out ${outcome}.` };
}

function failureCode(output: Json): StageFailureCode {
  if (isJsonObject(output) && output['code'] === 'NO_CHANGES') return 'NO_CHANGES';
  return isBadReply(output) ? 'INVALID_OUTPUT' : 'AGENT_ERROR';
}

/** Files that an agent named and that are not there are no output either. */
function isBadReply(output: Json): boolean {
  const { class: reason, code } = isJsonObject(output) ? output : {};
  return reason === 'bad-reply' || (typeof code === 'string' && code.startsWith('OUTPUT_'));
}

function lastCall(calls: Json): { readonly name: string; readonly arguments: Json } | null {
  const last: Json | undefined = Array.isArray(calls) ? calls.at(-1) : undefined;
  const called = isJsonObject(last) ? last['function'] : undefined;
  if (!isJsonObject(called) || typeof called['name'] !== 'string') return null;
  return { name: called['name'], arguments: called['arguments'] ?? null };
}

function textOf(value: Json): string {
  if (value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

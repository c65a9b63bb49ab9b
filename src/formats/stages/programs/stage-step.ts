import type { FaultCode } from '../../../core/codes/codes.ts';
import { isJsonObject, type Json, type JsonObject, jsonText } from '../../../core/model/json.ts';
import type { StageModule } from '../parse/stage-plan.ts';
import { type AgentMessage, replyEvent, type StageEvent, type StageFailureCode } from '../stages.ts';

/** Input of the program in the state `route`: the same each time. */
export interface RouteInput {
  readonly module: StageModule | null;
  /** By role: the fallbacks for stages that name none. */
  readonly fallback: Readonly<Record<string, readonly string[]>>;
}

/** All that one visit of `route` goes by. */
export interface StageStepInput extends RouteInput {
  readonly goal: string;
  /** Null at the beginning. */
  readonly step: StageStep | null;
  /** Results of the step's items, parallel ones by their ids. */
  readonly heard: readonly HeardUnit[];
}

export interface HeardUnit {
  readonly id?: string;
  readonly outcome: string;
  readonly output: Json;
  readonly reason: string | null;
}

/** The program's state between visits, with everything the next state needs. */
export interface StageStep {
  readonly items: readonly StageItem[];
  /** The rest of `maxDuration`; null without one. */
  readonly leftMs: number | null;
  /** The tree that each stage began with at its first try; null after it handed in. */
  readonly since: Readonly<Record<string, Json>>;
  /** The workflow's state; only its rules read it. */
  readonly state: Json;
  /** At the end: the workflow's result, and why it is not a good one. */
  readonly result?: Json;
  readonly failure?: JsonObject | null;
}

/** A turn of a stage, or a question to the person. */
export interface StageItem {
  readonly id: string;
  /** The state that it is done in, when it is done alone. */
  readonly place: string;
  readonly stage: string;
  readonly role: string;
  readonly iteration: number;
  readonly outputType: string;
  readonly isQuestion: boolean;
  readonly say: string;
}

/** Source of the ids and times of messages. */
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

/** Results of a step's items, as events for the workflow. */
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
  if (item.isQuestion) return { kind: 'answered', stage, answer: jsonText(unit.output) };
  const { call, text } = isJsonObject(unit.output) ? unit.output : {};
  const reply = {
    stage,
    role,
    outputType: item.outputType as AgentMessage['type'],
    call: callOf(call ?? null),
    text: jsonText(text ?? null),
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

const OUTPUT_CODES: ReadonlySet<Json | undefined> = new Set<FaultCode>([
  'OUTPUT_INVALID',
  'OUTPUT_MISSING',
  'OUTPUT_OUTSIDE',
  'OUTPUT_TOO_MANY',
]);

/** Files that an agent named and that are not there are no output either. */
function isBadReply(output: Json): boolean {
  const { class: reason, code } = isJsonObject(output) ? output : {};
  return reason === 'bad-reply' || OUTPUT_CODES.has(code);
}

function callOf(call: Json): { readonly name: string; readonly arguments: Json } | null {
  if (!isJsonObject(call) || typeof call['name'] !== 'string') return null;
  return { name: call['name'], arguments: call['arguments'] ?? null };
}

import { SIGNALS, type SignalName } from './signal-name.ts';
import { isJsonObject, type Json, type JsonObject } from './json.ts';
import type { ToolCall } from './message.ts';
import type { ParsingTool, Role } from './role.ts';

/** An underscore, because one client renames a dash. */
export const SIGNAL_TOOL = 'signal_back';

/** The fields each signal requires besides its name and its step. */
const PAYLOAD: Readonly<Record<SignalName, readonly string[]>> = {
  complete: ['summary'],
  'partially-complete': ['progress', 'continuationPoint'],
  'needs-user-input': ['question', 'context'],
  'needs-role-followup': ['targetRole', 'reason', 'context', 'resume'],
};

/** The tool as a role sees it. One flat object: providers refuse a choice of shapes at the top. */
export function signalTool({ signals = [], followups }: Pick<Role, 'signals' | 'followups'>): ParsingTool {
  const fields = new Set(signals.flatMap((signal) => PAYLOAD[signal]));
  const properties = Object.entries(FIELDS).filter(([name]) => fields.has(name));
  return {
    name: SIGNAL_TOOL,
    description: describe(signals),
    parameters: {
      type: 'object',
      properties: {
        signal: { type: 'string', enum: [...signals] },
        stepId: { type: 'string', description: 'The id of your step.' },
        ...Object.fromEntries(properties.map(([name, schema]) => [name, withTargets(name, schema, followups)])),
      },
      required: ['signal', 'stepId'],
    },
  };
}

const FIELDS: Readonly<Record<string, JsonObject>> = {
  summary: { type: 'string', description: 'What was done, with evidence.' },
  progress: { type: 'string', description: 'What is done.' },
  continuationPoint: { type: 'string', description: 'Exactly where to continue.' },
  question: { type: 'string', description: 'One that only a person can answer.' },
  context: { type: 'string', description: 'Everything needed to answer or act.' },
  targetRole: { type: 'string', description: 'The role that must act first.' },
  reason: { type: 'string' },
  resume: { type: 'boolean', description: 'Whether you continue afterwards.' },
};

function withTargets(name: string, schema: JsonObject, followups: readonly string[] | undefined): JsonObject {
  return name === 'targetRole' && followups !== undefined ? { ...schema, enum: [...followups] } : schema;
}

function describe(signals: readonly SignalName[]): string {
  const lines = signals.map((signal) => `${signal} needs ${PAYLOAD[signal].join(', ')}.`);
  return ['Report the state of your step. Call it once, as your last action.', ...lines].join('\n');
}

/** Accepts `type` for `signal`, which the founding document uses in one place. Called on input: at the desk, or with an answer. */
export function readSignal(call: ToolCall): ToolCall {
  if (call.name !== SIGNAL_TOOL || !isJsonObject(call.arguments)) return call;
  const { type, ...rest } = call.arguments;
  if (type === undefined || rest['signal'] !== undefined) return call;
  return { ...call, arguments: { ...rest, signal: type } };
}

/** The mistake in a signal whose shape is right, as text for the agent, or null. */
export function signalProblem(given: Json, { step }: { readonly step?: string | undefined }): string | null {
  if (!isJsonObject(given)) return 'It must be an object.';
  const signal = SIGNALS.find((one) => one === given['signal']);
  if (signal === undefined) return `Unknown signal ${JSON.stringify(given['signal'])}.`;
  const missing = PAYLOAD[signal].filter((name) => isEmpty(given[name]));
  if (missing.length > 0) return `${signal} also needs ${missing.join(', ')}.`;
  if (step !== undefined && given['stepId'] !== step) {
    return `Your step is ${step}, not ${JSON.stringify(given['stepId'])}. You can only speak for your own.`;
  }
  return null;
}

const isEmpty = (value: Json | undefined): boolean =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

/** Whether the turn's end must be checked against the world before it counts. */
export const isCompletion = (call: ToolCall): boolean =>
  call.name === SIGNAL_TOOL && isJsonObject(call.arguments) && call.arguments['signal'] === 'complete';

import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import { NO_CHANGE_TOOL, UNCHANGED_TEXT } from '../../core/owed-changes.ts';
import type { ToolSpec } from '../../core/role.ts';
import { SIGNAL_TOOL } from '../../core/signal.ts';
import { SILENCE, type Say } from './rule.ts';
import { withoutScript } from './prompt-script.ts';
import { newestText, newestUserText, type ScriptedRequest } from './scripted-request.ts';
import { toldStep } from './told-step.ts';

const LONGEST_ECHO = 60;

/** Nothing was scripted: hand in the structured reply that is owed, or else say something short and true. */
export function defaultReply(request: ScriptedRequest): Say {
  // It changes no files, and says so where some have to be changed.
  if (newestText(request).includes(UNCHANGED_TEXT) && request.tools.some(({ name }) => name === NO_CHANGE_TOOL)) {
    const reason = 'The scripted model changes no files by itself.';
    return { ...SILENCE, tools: [{ name: NO_CHANGE_TOOL, arguments: { reason }, raw: null }] };
  }
  const [owed] = request.parsingTools.flatMap((name) => request.tools.filter((tool) => tool.name === name));
  if (owed !== undefined) {
    return { ...SILENCE, tools: [{ name: owed.name, arguments: handedIn(owed, request), raw: null }] };
  }
  if (request.messages.at(-1)?.role === 'tool') return { ...SILENCE, text: 'Done.' };
  const line =
    withoutScript(newestUserText(request) || newestText(request))
      .trim()
      .split('\n')[0] ?? '';
  return { ...SILENCE, text: line === '' ? 'Done.' : `Done: ${line.slice(0, LONGEST_ECHO)}` };
}

/** A signal asks for more than its schema says: the step it is about, and a word on what was done. */
function handedIn({ name, parameters }: ToolSpec, request: ScriptedRequest): Json {
  if (name !== SIGNAL_TOOL) {
    const unless = /no change, state that in `(\w+)`/.exec(newestText(request))?.[1];
    return unless === undefined ? sample(parameters, '') : { ...sampleObject(parameters), [unless]: true };
  }
  const stepId = toldStep(request) ?? WORD;
  const properties = propertiesOf(parameters);
  const signals = isJsonObject(properties['signal']) ? properties['signal']['enum'] : [];
  if (Array.isArray(signals) && signals.includes('complete')) return { signal: 'complete', stepId, summary: 'Done.' };
  return { ...sampleObject({ ...parameters, required: Object.keys(properties) }), stepId };
}

/** The least value that fits a schema: required fields only. */
export function sample(schema: Json | undefined, name: string): Json {
  if (!isJsonObject(schema)) return WORD;
  const given = schema['const'] ?? schema['default'] ?? first(schema['enum']);
  if (given !== undefined) return given;
  const choice = first(schema['anyOf']) ?? first(schema['oneOf']) ?? first(schema['allOf']);
  if (choice !== undefined && schema['type'] === undefined) return sample(choice, name);
  return sampleOfType(first(schema['type']) ?? schema['type'], schema, name);
}

const WORD = 'done';
/** Yes to what ends the work, no to what asks for more of it, so that loops come to their end. */
const GOOD_NEWS = /approv|accept|pass|success|complete|done|finish|agree|valid|^(is_?)?ok$/i;

function sampleOfType(type: Json | undefined, schema: JsonObject, name: string): Json {
  switch (type) {
    case 'boolean':
      return GOOD_NEWS.test(name);
    case 'integer':
    case 'number':
      return Math.max(0, Number(schema['minimum'] ?? 0));
    case 'array':
      return Array.from({ length: Number(schema['minItems'] ?? 0) }, () => sample(schema['items'], name));
    case 'null':
      return null;
    case 'string':
      return WORD.padEnd(Number(schema['minLength'] ?? 0), '.');
    default:
      return sampleObject(schema);
  }
}

function sampleObject(schema: JsonObject): JsonObject {
  const properties = propertiesOf(schema);
  const required = Array.isArray(schema['required']) ? (schema['required'] as readonly string[]) : [];
  return Object.fromEntries(required.map((name) => [name, sample(properties[name], name)]));
}

const propertiesOf = ({ properties = null }: JsonObject): JsonObject => (isJsonObject(properties) ? properties : {});

const first = (value: Json | undefined): Json | undefined =>
  Array.isArray(value) ? (value as readonly Json[])[0] : undefined;

import { cleanJson } from '../../core/evaluate/clean-json.ts';
import type { Problem } from '../../core/model/fault.ts';
import { isJsonObject, type Json, type JsonObject } from '../../core/model/json.ts';
import {
  isStandardSchema,
  issuePath,
  JSON_SCHEMA_HINT,
  jsonSchemaOf,
  type StandardSchema,
} from '../../core/model/standard-schema.ts';
import type { Parameter, ValueType, Workflow } from '../../core/model/workflow.ts';
import type { WorkflowSchemas } from '../../source/workflow-module.ts';
import type { LooseSpec } from './workflow-spec.ts';

/** The schemas of a workflow as JSON Schema, which works in every interface and process. */
export interface LoweredSchemas extends Pick<Workflow, 'data' | 'output'> {
  /** Null where the input has no schema. */
  readonly inputs: readonly Parameter[] | null;
  readonly given: WorkflowSchemas;
  readonly problems: readonly Problem[];
}

export function lowerSchemas({ input, inputs, output, data }: LooseSpec): LoweredSchemas {
  const problems: Problem[] = [];
  const note: Note = (path, message, hint = JSON_SCHEMA_HINT) =>
    void problems.push({ code: 'SCHEMA_UNUSABLE', message, severity: 'error', path, hint });
  if (input !== undefined && inputs !== undefined)
    note('inputs', 'A workflow has either "input" or "inputs", not both.', 'Put all of them into the schema.');
  const read = input === undefined ? null : lowerInputSchema(input, note);
  const lowered = lowerOutput(output, note);
  return {
    inputs: read?.parameters ?? null,
    output: lowered,
    data: { ...read?.defaults, ...firstData(data, note) },
    given: { ...(input === undefined ? {} : { input }), ...(isStandardSchema(output) ? { output } : {}) },
    problems,
  };
}

type Note = (path: string, message: string, hint?: string) => void;

function asJson(schema: StandardSchema, path: string, note: Note): JsonObject {
  const made = jsonSchemaOf(schema);
  if (typeof made !== 'string') return made;
  note(path, `The schema of the ${path} cannot be used: ${made}.`);
  return {};
}

function lowerInputSchema(input: StandardSchema, note: Note) {
  const schema = asJson(input, 'input', note);
  const properties = propertiesOf(schema);
  if (properties !== null) return { parameters: parametersOf(schema, properties), defaults: defaultsOf(properties) };
  note('input', 'The schema of the input is not one of an object with named keys.', 'Use z.object({ … }).');
  return { parameters: [], defaults: {} };
}

function lowerOutput(output: LooseSpec['output'], note: Note): Workflow['output'] {
  if (isStandardSchema(output)) return { name: 'output', ...typed(asJson(output, 'output', note)) };
  return typeof output === 'string' ? { name: output, type: 'any' } : (output ?? null);
}

type Properties = Readonly<Record<string, Json>>;

const propertiesOf = ({ type, properties = {} }: JsonObject): Properties | null =>
  (type === undefined || type === 'object') && isJsonObject(properties) ? properties : null;

/** Copies shared definitions of the schema to each key that may use them. */
function parametersOf({ required, definitions, $defs }: JsonObject, properties: Properties): readonly Parameter[] {
  const shared = { ...(definitions === undefined ? {} : { definitions }), ...($defs === undefined ? {} : { $defs }) };
  return Object.entries(properties).map(([name, property]) => {
    const own = isJsonObject(property) ? property : {};
    return {
      name,
      ...typed({ ...own, ...shared }),
      description: typeof own['description'] === 'string' ? own['description'] : '',
      required: Array.isArray(required) && required.includes(name),
    };
  });
}

const typed = (schema: JsonObject): { readonly type: ValueType; readonly schema: JsonObject } => ({
  type: TYPES.get(schema['type']) ?? 'any',
  schema,
});

const TYPES: ReadonlyMap<Json | undefined, ValueType> = new Map([
  ['string', 'string'],
  ['number', 'number'],
  ['integer', 'number'],
  ['boolean', 'boolean'],
  ['object', 'object'],
  ['array', 'array'],
]);

/** Values for omitted inputs. */
const defaultsOf = (properties: Properties): JsonObject =>
  Object.fromEntries(
    Object.entries(properties).flatMap(([name, property]) =>
      isJsonObject(property) && property['default'] !== undefined ? [[name, property['default']]] : [],
    ),
  );

function firstData(data: unknown, note: Note): JsonObject {
  if (!isStandardSchema(data)) return isJsonObject(data) ? data : {};
  const result = data['~standard'].validate({});
  const hint = 'Give every key a default, such as z.string().default("").';
  if (result instanceof Promise)
    note('data', 'The schema of the data checks asynchronously.', 'Use one that does not.');
  else if (result.issues !== undefined)
    for (const issue of result.issues)
      note('data', `The data has no first value at ${issuePath(issue)}: ${issue.message}.`, hint);
  else {
    const value = cleanJson(result.value);
    if (isJsonObject(value)) return value;
    note('data', 'The schema of the data is not one of an object.', hint);
  }
  return {};
}

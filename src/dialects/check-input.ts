import type { Problem } from '../core/fault.ts';
import { isJsonObject, type Json, type JsonObject } from '../core/json.ts';
import type { Parameter, ValueType, Workflow } from '../core/workflow.ts';
import { checked, refused, type Checked } from './source/checked.ts';
import { nameHint } from './source/closest-name.ts';

/** What a run is started with: the one bare text of a command line, or values by name. */
export type GivenInput = string | Readonly<Record<string, Json>> | null;

/**
 * The values for a workflow's inputs. A bare text goes to the first input; a text for an input of another type is read
 * as JSON, because a command line knows nothing but text.
 */
export function checkInput(workflow: Workflow, given: GivenInput): Checked<JsonObject> {
  const named = byName(workflow, given);
  if (!named.ok) return named;
  const problems: Problem[] = [];
  const input: Record<string, Json> = {};
  for (const [name, value] of Object.entries(named.value)) {
    const parameter = workflow.inputs.find((one) => one.name === name);
    const read = parameter === undefined ? undefined : readValue(value, parameter.type);
    if (parameter === undefined) problems.push(unknownInput(name, workflow.inputs));
    else if (read === undefined) problems.push(wrongType(parameter, value));
    else input[name] = read;
  }
  for (const { name, type, description, required } of workflow.inputs) {
    if (!required || Object.hasOwn(named.value, name)) continue;
    const about = description === '' ? '' : `: ${description}`;
    problems.push(problem('INPUT_MISSING', `The input "${name}" (${type}) is missing${about}.`, name));
  }
  return checked(input, problems);
}

function byName(workflow: Workflow, given: GivenInput): Checked<Readonly<Record<string, Json>>> {
  if (given === null) return checked({}, []);
  if (typeof given !== 'string') return checked(given, []);
  const [first] = workflow.inputs;
  if (first !== undefined) return checked({ [first.name]: given }, []);
  return refused([problem('INPUT_UNKNOWN', `The workflow "${workflow.name}" takes no input.`)]);
}

const FITS: Readonly<Record<ValueType, (value: Json) => boolean>> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number' && Number.isFinite(value),
  boolean: (value) => typeof value === 'boolean',
  object: (value) => isJsonObject(value),
  array: (value) => Array.isArray(value),
  any: () => true,
};

function readValue(value: Json, type: ValueType): Json | undefined {
  if (FITS[type](value)) return value;
  const parsed = typeof value === 'string' ? parseText(value) : undefined;
  return parsed !== undefined && FITS[type](parsed) ? parsed : undefined;
}

function parseText(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

function unknownInput(name: string, known: readonly Parameter[]): Problem {
  const hint = nameHint(
    name,
    known.map((parameter) => parameter.name),
  );
  return problem('INPUT_UNKNOWN', `There is no input named "${name}".`, name, hint);
}

const EXPECTED: Readonly<Record<ValueType, string>> = {
  string: 'text',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object, as JSON',
  array: 'a list, as JSON',
  any: 'a value',
};

function wrongType(parameter: Parameter, value: Json): Problem {
  const shown = JSON.stringify(value);
  const short = shown.length > 60 ? `${shown.slice(0, 57)}…` : shown;
  const message = `The input "${parameter.name}" must be ${EXPECTED[parameter.type]}; it is ${short}.`;
  return problem('INPUT_TYPE', message, parameter.name);
}

function problem(code: string, message: string, ...[name, hint]: readonly (string | undefined)[]): Problem {
  return {
    code,
    message,
    severity: 'error',
    ...(name === undefined ? {} : { path: `input.${name}` }),
    ...(hint === undefined ? {} : { hint }),
  };
}

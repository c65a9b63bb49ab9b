import type { ProblemCode } from '../core/codes/problem-codes.ts';
import type { Problem } from '../core/model/fault.ts';
import { type Json, type JsonObject, parseJson } from '../core/model/json.ts';
import { shortJson } from '../core/model/short-json.ts';
import { fitsType, typeText } from '../core/model/value-type.ts';
import type { Parameter, ValueType, Workflow } from '../core/model/workflow.ts';
import { checked, refusedSource, type Checked } from '../source/checked.ts';
import { nameHint } from '../source/closest-name.ts';
import { problemIn } from '../source/defined.ts';

/** The input of a run: one bare text from a command line, or values by name. */
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
    const message = `The input "${name}" (${type}) is missing${about}.`;
    problems.push(problem('INPUT_MISSING', message, name, `Give it with --input ${name}=…`));
  }
  return checked(input, problems);
}

function byName(workflow: Workflow, given: GivenInput): Checked<Readonly<Record<string, Json>>> {
  if (given === null) return checked({}, []);
  if (typeof given !== 'string') return checked(given, []);
  const [first] = workflow.inputs;
  if (first !== undefined) return checked({ [first.name]: given }, []);
  return refusedSource([problem('INPUT_UNKNOWN', `The workflow "${workflow.name}" takes no input.`)]);
}

function readValue(value: Json, type: ValueType): Json | undefined {
  if (fitsType(value, type)) return value;
  const parsed = typeof value === 'string' ? parseJson(value, undefined) : undefined;
  return parsed !== undefined && fitsType(parsed, type) ? parsed : undefined;
}

function unknownInput(name: string, known: readonly Parameter[]): Problem {
  const hint = nameHint(
    name,
    known.map((parameter) => parameter.name),
  );
  return problem('INPUT_UNKNOWN', `There is no input named "${name}".`, name, hint);
}

function wrongType(parameter: Parameter, value: Json): Problem {
  const asJson = parameter.type === 'object' || parameter.type === 'array' ? ', as JSON' : '';
  const message = `The input "${parameter.name}" must be ${typeText(parameter.type)}${asJson}; it is ${shortJson(value)}.`;
  return problem('INPUT_TYPE', message, parameter.name);
}

function problem(code: ProblemCode, message: string, ...[name, hint]: readonly (string | undefined)[]): Problem {
  return problemIn({}, undefined, { code, message, path: name === undefined ? name : `input.${name}`, hint });
}

import { text as readStream } from 'node:stream/consumers';
import { Fault } from '../../core/fault.ts';
import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import type { Parameter, Workflow } from '../../core/workflow.ts';
import { valueOrFault } from '../../dialects/source/checked.ts';
import { readDocument } from '../../dialects/source/read-document.ts';
import { readSourceFile } from '../../dialects/source/read-source-file.ts';
import type { Terminal } from '../terminal/terminal.ts';

export interface GivenInput {
  /** The word behind the workflow; `-` reads it from standard input. */
  readonly text: string | undefined;
  /** `key=value`, each. */
  readonly fields: readonly string[];
  readonly file: string | undefined;
}

/** The input as the person gave it, by the names of the workflow's parameters. Whether it fits is checked elsewhere. */
export async function readInput(given: GivenInput, workflow: Workflow, terminal: Terminal): Promise<JsonObject> {
  return {
    ...(given.file === undefined ? {} : await fromFile(given.file, workflow)),
    ...(given.text === undefined ? {} : await fromText(given.text, workflow, terminal)),
    ...Object.fromEntries(given.fields.map((field) => fromField(field, workflow))),
  };
}

async function fromFile(file: string, workflow: Workflow): Promise<JsonObject> {
  const text = valueOrFault(await readSourceFile(file), 'INPUT_INVALID');
  if (!/\.(json|ya?ml)$/i.test(file)) return { [firstName(workflow)]: text };
  const { document } = valueOrFault(readDocument(text, { file }), 'INPUT_INVALID');
  const names = new Set(workflow.inputs.map((input) => input.name));
  const isByName = isJsonObject(document) && Object.keys(document).some((key) => names.has(key));
  return isByName ? document : { [firstName(workflow)]: document };
}

async function fromText(text: string, workflow: Workflow, terminal: Terminal): Promise<JsonObject> {
  const value = text === '-' ? await readStream(terminal.stdin) : text;
  const first = workflow.inputs[0];
  return { [firstName(workflow)]: first === undefined ? value : valueFor(first, value) };
}

function fromField(field: string, workflow: Workflow): readonly [string, Json] {
  const cut = field.indexOf('=');
  if (cut < 1) {
    throw new Fault('INPUT_INVALID', `"${field}" is not of the form key=value.`, { hint: 'As in: --input task="Fix it"' });
  }
  const name = field.slice(0, cut);
  const parameter = workflow.inputs.find((input) => input.name === name);
  const text = field.slice(cut + 1);
  return [name, parameter === undefined ? text : valueFor(parameter, text)];
}

function firstName(workflow: Workflow): string {
  const [first] = workflow.inputs;
  if (first === undefined) {
    throw new Fault('INPUT_INVALID', `The workflow "${workflow.name}" takes no input.`, { hint: 'Leave the input out.' });
  }
  return first.name;
}

/** Text is taken as it stands; every other type is written as JSON. */
function valueFor(parameter: Parameter, text: string): Json {
  if (parameter.type === 'string') return text;
  try {
    return JSON.parse(text) as Json;
  } catch {
    if (parameter.type === 'any') return text;
    throw new Fault('INPUT_INVALID', `The input "${parameter.name}" must be of type ${parameter.type}, written as JSON.`, {
      hint: `As in: --input ${parameter.name}='${EXAMPLES[parameter.type]}'`,
    });
  }
}

const EXAMPLES: Readonly<Record<Exclude<Parameter['type'], 'string' | 'any'>, string>> = {
  number: '3',
  boolean: 'true',
  object: '{"a": 1}',
  array: '["a", "b"]',
};

import { Fault } from '../../core/model/fault.ts';
import { isJsonObject, type JsonObject } from '../../core/model/json.ts';
import type { Workflow } from '../../core/model/workflow.ts';
import { valueOrFault } from '../../source/checked.ts';
import { readDocument } from '../../source/read-document.ts';
import { readSourceFile } from '../../source/read-source-file.ts';
import type { Terminal } from '../terminal/terminal.ts';

export interface TypedInput {
  /** The word behind the workflow; `-` reads it from standard input. */
  readonly text: string | undefined;
  /** `key=value`, each. */
  readonly fields: readonly string[];
  readonly file: string | undefined;
}

/** The input of a run, put together from all the ways a person can give it. */
export async function readInput(given: TypedInput, workflow: Workflow, terminal: Terminal): Promise<JsonObject> {
  return {
    ...(given.file === undefined ? {} : await fromFile(given.file, workflow)),
    ...(given.text === undefined ? {} : { [firstName(workflow)]: await textOf(given.text, terminal) }),
    ...Object.fromEntries(given.fields.map(fieldOf)),
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

async function textOf(text: string, terminal: Terminal): Promise<string> {
  if (text !== '-') return text;
  const { text: readAll } = await import('node:stream/consumers');
  return await readAll(terminal.stdin);
}

/** One field of the input, `key=value`. */
export function fieldOf(field: string): readonly [string, string] {
  const cut = field.indexOf('=');
  if (cut < 1) {
    throw new Fault('INPUT_INVALID', `"${field}" is not of the form key=value.`, {
      hint: 'As in: --input task="Fix it"',
    });
  }
  return [field.slice(0, cut), field.slice(cut + 1)];
}

function firstName(workflow: Workflow): string {
  const [first] = workflow.inputs;
  if (first === undefined) {
    throw new Fault('INPUT_INVALID', `The workflow "${workflow.name}" takes no input.`, {
      hint: 'Leave the input out.',
    });
  }
  return first.name;
}

import { type Json, parseJson, parseObject } from '../../src/core/model/json.ts';
import type { Action } from '../../src/protocol/web/action.ts';
import type { InputField, WorkflowLine } from '../../src/protocol/web/workflow-page.ts';

/** What was typed, by the name of the field. */
export type Typed = Readonly<Record<string, string>>;

export interface StartFormValues {
  readonly action: Extract<Action, { readonly kind: 'start' }> & { readonly input: Readonly<Record<string, Json>> };
  /** What is wrong, by the name of the field. */
  readonly problems: Readonly<Record<string, string>>;
}

/** The run a filled form would start. A field left as it is is not said: the workflow's own value holds. */
export function readForm({ name, inputs }: Pick<WorkflowLine, 'name' | 'inputs'>, typed: Typed): StartFormValues {
  const input: Record<string, Json> = {};
  const problems: Record<string, string> = {};
  for (const field of inputs) {
    const text = Object.hasOwn(typed, field.name) ? (typed[field.name] ?? '') : '';
    if (text === '' || text === field.default) {
      if (field.isRequired && text === '') problems[field.name] = 'This is required.';
      continue;
    }
    const value = valueOf(field, text);
    if (value === undefined) problems[field.name] = EXPECTED[field.type] ?? 'This does not fit.';
    else input[field.name] = value;
  }
  return { action: { kind: 'start', workflow: name, input }, problems };
}

const EXPECTED: Readonly<Record<string, string>> = {
  number: 'A number is wanted.',
  boolean: 'Either true or false.',
  array: 'A list in JSON is wanted, such as ["a", "b"].',
  object: 'An object in JSON is wanted, such as {"a": 1}.',
};

function valueOf({ type }: InputField, text: string): Json | undefined {
  switch (type) {
    case 'number':
      return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : undefined;
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : undefined;
    case 'array':
      return listIn(text);
    case 'object':
      return parseObject(text) ?? undefined;
    default:
      return text;
  }
}

function listIn(text: string): readonly Json[] | undefined {
  const value = parseJson(text, undefined);
  return Array.isArray(value) ? (value as readonly Json[]) : undefined;
}

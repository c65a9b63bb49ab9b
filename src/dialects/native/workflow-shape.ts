import type { Problem } from '../../core/fault.ts';
import { cleanJson } from '../../core/clean-json.ts';
import { isJsonObject } from '../../core/json.ts';
import { FAILURE_CLASSES, OUTCOMES } from '../../core/outcome.ts';
import { isStandardSchema } from '../../core/standard-schema.ts';
import type { SourcePath } from '../source/source-path.ts';
import {
  anything,
  codeShape,
  flagShape,
  listShape,
  number,
  objectShape,
  problem,
  record,
  said,
  textShape,
  wordShape,
  wordHint,
  wrong,
  type Shape,
} from './shape.ts';
import { workShape } from './work-shape.ts';

/** The form of what `defineWorkflow` takes. Names, numbers and the graph are checked on the workflow that comes of it. */
export function workflowShape(spec: unknown): readonly Problem[] {
  return workflow(spec, []);
}

const valueType = wordShape(['string', 'number', 'boolean', 'object', 'array', 'any']);

const inputObject = objectShape({
  required: { type: valueType },
  optional: { description: textShape, required: flagShape },
});
const input: Shape = (value, path) => (isJsonObject(value) ? inputObject : valueType)(value, path);

const outputObject = objectShape({ required: { name: textShape, type: valueType } });
const output: Shape = (value, path) => {
  if (isStandardSchema(value)) return [];
  return (isJsonObject(value) ? outputObject : textShape)(value, path);
};

const schema: Shape = (value, path) =>
  isStandardSchema(value) ? [] : wrong(value, path, 'must be a schema of zod, valibot or another Standard Schema');

const data: Shape = (value, path) => (isStandardSchema(value) ? [] : record(json)(value, path));

const message = objectShape({ required: { role: wordShape(['system', 'user', 'assistant']), content: textShape } });
const context = objectShape({ optional: { startingMessages: listShape(message), maxLength: number } });
const agent = objectShape({
  optional: {
    role: textShape,
    context: textShape,
    side: wordShape(['assistant', 'user']),
    workspace: textShape,
    holds: listShape(textShape),
    actor: textShape,
    model: codeShape,
  },
});

const transitionObject = objectShape({
  required: { target: textShape },
  optional: { when: codeShape, assign: codeShape },
});
const transition: Shape = (value, path) => (typeof value === 'string' ? [] : transitionObject(value, path));

/** The same shape under each of these names. */
const named = (names: readonly string[], shape: Shape) => Object.fromEntries(names.map((name) => [name, shape]));

const workState = objectShape({
  required: { transitions: listShape(transition) },
  optional: {
    kind: anything,
    enter: codeShape,
    work: workShape,
    on: objectShape({ optional: named(OUTCOMES, listShape(transition)) }),
    timeoutMs: number,
    retry: objectShape({
      required: { tries: objectShape({ optional: named(FAILURE_CLASSES, anything) }) },
      optional: { baseMs: number, maxMs: number },
    }),
  },
});
const endState = objectShape({
  required: { kind: anything },
  optional: { outcome: wordShape(OUTCOMES), output: codeShape, failure: codeShape },
});

function state(value: unknown, path: SourcePath): readonly Problem[] {
  const kind: unknown = isJsonObject(value) ? value['kind'] : undefined;
  if (kind === 'end') return endState(value, path);
  if (kind === undefined || kind === 'work') return workState(value, path);
  const sentence = `The state "${path[1]}" has the kind ${said(kind)}, which is not known. The kinds are work, end.`;
  const hint = wordHint(kind, ['work', 'end']);
  return [problem('KIND_UNKNOWN', sentence, { path: [...path, 'kind'], hint })];
}

function json(value: unknown, path: SourcePath): readonly Problem[] {
  try {
    cleanJson(value);
    return [];
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return wrong(value, path, { must: 'must be plain JSON', hint: reason });
  }
}

const workflow = objectShape({
  required: { name: textShape, states: record(state) },
  optional: {
    description: textShape,
    input: schema,
    inputs: record(input),
    output,
    data,
    contexts: record(context),
    agents: record(agent),
    start: textShape,
    limits: objectShape({ optional: named(['iterations', 'toolRounds', 'durationMs', 'tokens', 'usd'], anything) }),
    onFailure: wordShape(['keep', 'rollback']),
  },
});

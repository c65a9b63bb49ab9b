import type { Problem } from '../../core/fault.ts';
import { cleanJson } from '../../core/clean-json.ts';
import { isJsonObject } from '../../core/json.ts';
import { FAILURE_CLASSES, OUTCOMES } from '../../core/outcome.ts';
import type { SourcePath } from '../source/source-path.ts';
import {
  anything,
  flag,
  list,
  number,
  object,
  problem,
  record,
  said,
  text,
  word,
  wordHint,
  wrong,
  type Shape,
} from './shape.ts';
import { workShape } from './work-shape.ts';

/** The form of what `defineWorkflow` takes. Names, numbers and the graph are checked on the workflow that comes of it. */
export function workflowShape(spec: unknown): readonly Problem[] {
  return workflow(spec, []);
}

const valueType = word(['string', 'number', 'boolean', 'object', 'array', 'any']);

const inputObject = object({ required: { type: valueType }, optional: { description: text, required: flag } });
const input: Shape = (value, path) => (isJsonObject(value) ? inputObject : valueType)(value, path);

const outputObject = object({ required: { name: text, type: valueType } });
const output: Shape = (value, path) => (isJsonObject(value) ? outputObject : text)(value, path);

const message = object({ required: { role: word(['system', 'user', 'assistant']), content: text } });
const context = object({ optional: { startingMessages: list(message), maxLength: number } });
const agent = object({
  optional: {
    role: text,
    context: text,
    side: word(['assistant', 'user']),
    workspace: text,
    holds: list(text),
    actor: text,
    model: text,
  },
});

const transitionObject = object({ required: { target: text }, optional: { when: text, assign: text } });
const transition: Shape = (value, path) => (typeof value === 'string' ? [] : transitionObject(value, path));

/** The same shape under each of these names. */
const named = (names: readonly string[], shape: Shape) => Object.fromEntries(names.map((name) => [name, shape]));

const workState = object({
  required: { transitions: list(transition) },
  optional: {
    kind: anything,
    enter: text,
    work: workShape,
    on: object({ optional: named(OUTCOMES, list(transition)) }),
    timeoutMs: number,
    retry: object({
      required: { tries: object({ optional: named(FAILURE_CLASSES, anything) }) },
      optional: { baseMs: number, maxMs: number },
    }),
  },
});
const endState = object({
  required: { kind: anything },
  optional: { outcome: word(OUTCOMES), output: text, failure: text },
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

const workflow = object({
  required: { name: text, states: record(state) },
  optional: {
    description: text,
    inputs: record(input),
    output,
    data: record(json),
    contexts: record(context),
    agents: record(agent),
    start: text,
    limits: object({ optional: named(['iterations', 'toolRounds', 'durationMs', 'tokens', 'usd'], anything) }),
    onFailure: word(['keep', 'rollback']),
  },
});

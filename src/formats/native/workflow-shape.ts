import type { Problem } from '../../core/model/fault.ts';
import { cleanJson } from '../../core/evaluate/clean-json.ts';
import { isJsonObject } from '../../core/model/json.ts';
import { FAILURE_CLASSES, OUTCOMES } from '../../core/model/outcome.ts';
import { isStandardSchema } from '../../core/model/standard-schema.ts';
import { APPROVES } from '../../core/record/question-fact.ts';
import type { SourcePath } from '../../source/place.ts';
import { LABEL } from '../../core/model/label.ts';
import { LABEL_RULE } from '../../source/schema-parts.ts';
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
  type Shape,
  textShape,
  wordHint,
  wordShape,
  wrong,
} from './shape.ts';
import type { UnitWorkSpec, WorkSpec } from './workflow-spec.ts';

const labelShape: Shape = (value, path) =>
  typeof value === 'string' && LABEL.test(value) ? [] : wrong(value, path, LABEL_RULE);

/** The work of a state: an object whose `kind` decides which keys it has. */
const workShape: Shape = (value, path) => ofKind(WORK, value, path);

const unitWorkShape: Shape = (value, path) => ofKind(UNIT_WORK, value, path);

/** `kind` itself is looked at first, by the table that the shape stands in. */
const kind = anything;

const required = wordShape(['required']);
const changesShape = objectShape({ optional: { when: codeShape, unless: textShape } });

const choicesShape: Shape = (value, path) =>
  typeof value === 'string' || typeof value === 'function' ? codeShape(value, path) : listShape(textShape)(value, path);

const UNIT_WORK: Readonly<Record<UnitWorkSpec<string>['kind'], Shape>> = {
  turn: objectShape({
    required: { kind, agent: textShape },
    optional: {
      mode: wordShape(['ask', 'tell', 'clear']),
      input: codeShape,
      step: codeShape,
      evidence: objectShape({ optional: { files: codeShape, commands: codeShape } }),
      reply: listShape(textShape),
      allowed: record(codeShape),
      changes: (value, path) => (typeof value === 'string' ? required(value, path) : changesShape(value, path)),
    },
  }),
  command: objectShape({
    required: { kind, command: codeShape },
    optional: {
      okExitCodes: listShape(number),
      repeat: wordShape(['safe', 'unsafe']),
      agent: textShape,
      network: flagShape,
      holds: listShape(textShape),
    },
  }),
  diff: objectShape({ required: { kind }, optional: { agent: textShape, tests: flagShape } }),
  call: objectShape({
    required: { kind, workflow: workflowOrName },
    optional: { input: record(codeShape), workspace: wordShape(['own']) },
  }),
  ask: objectShape({
    required: { kind, question: codeShape },
    optional: { choices: choicesShape, approves: wordShape([...APPROVES]) },
  }),
  wait: objectShape({ required: { kind, ms: numberOrCode } }),
};

const poolRules = { join: joinShape, grow: codeShape };
const poolKeys = { alsoNamed: ['units', 'items', 'work'] };

const fixedPool = objectShape({
  required: {
    kind,
    units: record(objectShape({ required: { work: unitWorkShape }, optional: { after: listShape(textShape) } })),
  },
  optional: { slots: anything, ...poolRules },
  ...poolKeys,
});

const itemPool = objectShape({
  required: { kind, items: codeShape, work: unitWorkShape, slots: anything },
  optional: poolRules,
  ...poolKeys,
});

const WORK: Readonly<Record<WorkSpec<string>['kind'], Shape>> = {
  ...UNIT_WORK,
  none: objectShape({ required: { kind } }),
  merge: objectShape({
    required: { kind, agent: agentOrNull },
    optional: { unit: codeShape, verify: codeShape, checks: codeShape, reportsOverlap: flagShape },
  }),
  pool: poolShape,
};

function ofKind(shapes: Readonly<Record<string, Shape>>, value: unknown, path: SourcePath) {
  if (!isJsonObject(value)) return wrong(value, path, 'must be an object with a kind');
  const kinds = Object.keys(shapes);
  const given = value['kind'] as unknown;
  const where = { path: [...path, 'kind'] };
  const known = `The kinds are ${kinds.join(', ')}`;
  if (given === undefined) {
    return [problem('KEY_MISSING', `The work of the state "${path[1]}" has no kind. ${known}.`, where)];
  }
  const shape = typeof given === 'string' && Object.hasOwn(shapes, given) ? shapes[given] : undefined;
  if (shape !== undefined) return shape(value, path);
  const message = `The work of the state "${path[1]}" has the kind ${said(given)}, which is not known here. ${known}.`;
  return [problem('KIND_UNKNOWN', message, { ...where, hint: wordHint(given, kinds) })];
}

/** A pool has units that are written down, or one for each item of a list. */
function poolShape(value: unknown, path: SourcePath) {
  const isOfItems = isJsonObject(value) && !('units' in value) && ('items' in value || 'work' in value);
  return (isOfItems ? itemPool : fixedPool)(value, path);
}

function joinShape(value: unknown, path: SourcePath) {
  if (isJsonObject(value)) return objectShape({ required: { quorum: anything } })(value, path);
  return wordShape(['all', 'any', 'first'])(value, path);
}

function agentOrNull(value: unknown, path: SourcePath) {
  return value === null ? [] : textShape(value, path);
}

function numberOrCode(value: unknown, path: SourcePath) {
  const isFit = ['string', 'number', 'function'].includes(typeof value);
  return isFit ? [] : wrong(value, path, 'must be a number, or an expression that gives one');
}

function workflowOrName(value: unknown, path: SourcePath) {
  if (typeof value === 'string' || (isJsonObject(value) && typeof value['name'] === 'string')) return [];
  return wrong(value, path, 'must be a workflow or the name of one');
}

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
  optional: { when: codeShape, assign: codeShape, label: textShape },
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
    labels: listShape(labelShape),
    onFailure: wordShape(['keep', 'rollback']),
  },
});

import { isJsonObject } from '../../core/json.ts';
import { APPROVES } from '../../core/question-fact.ts';
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
import type { UnitWorkSpec, WorkSpec } from './workflow-spec.ts';

/** The work of a state: an object whose `kind` decides which keys it has. */
export const workShape: Shape = (value, path) => ofKind(WORK, value, path);

const unitWorkShape: Shape = (value, path) => ofKind(UNIT_WORK, value, path);

/** `kind` itself is looked at first, by the table that the shape stands in. */
const kind = anything;

const required = word(['required']);
const changesShape = object({ optional: { when: text, unless: text } });

const UNIT_WORK: Readonly<Record<UnitWorkSpec<string>['kind'], Shape>> = {
  turn: object({
    required: { kind, agent: text },
    optional: {
      mode: word(['ask', 'tell', 'clear']),
      input: text,
      step: text,
      evidence: object({ optional: { files: text, commands: text } }),
      reply: list(text),
      allowed: record(text),
      changes: (value, path) => (typeof value === 'string' ? required(value, path) : changesShape(value, path)),
    },
  }),
  command: object({
    required: { kind, command: text },
    optional: {
      okExitCodes: list(number),
      repeat: word(['safe', 'unsafe']),
      agent: text,
      network: flag,
      holds: list(text),
    },
  }),
  diff: object({ required: { kind }, optional: { agent: text, tests: flag } }),
  call: object({
    required: { kind, workflow: workflowOrName },
    optional: { input: record(text), workspace: word(['own']) },
  }),
  ask: object({ required: { kind, question: text }, optional: { choices: list(text), approves: word([...APPROVES]) } }),
  wait: object({ required: { kind, ms: numberOrText } }),
};

const poolRules = { join: joinShape, grow: text };
const poolKeys = { alsoNamed: ['units', 'items', 'work'] };

const fixedPool = object({
  required: { kind, units: record(object({ required: { work: unitWorkShape }, optional: { after: list(text) } })) },
  optional: { slots: anything, ...poolRules },
  ...poolKeys,
});

const itemPool = object({
  required: { kind, items: text, work: unitWorkShape, slots: anything },
  optional: poolRules,
  ...poolKeys,
});

const WORK: Readonly<Record<WorkSpec<string>['kind'], Shape>> = {
  ...UNIT_WORK,
  none: object({ required: { kind } }),
  merge: object({ required: { kind, agent: agentOrNull }, optional: { unit: text, verify: text, checks: text } }),
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
  if (isJsonObject(value)) return object({ required: { quorum: anything } })(value, path);
  return word(['all', 'any', 'first'])(value, path);
}

function agentOrNull(value: unknown, path: SourcePath) {
  return value === null ? [] : text(value, path);
}

function numberOrText(value: unknown, path: SourcePath) {
  return typeof value === 'string' || typeof value === 'number'
    ? []
    : wrong(value, path, 'must be a number, or an expression that gives one');
}

function workflowOrName(value: unknown, path: SourcePath) {
  if (typeof value === 'string' || (isJsonObject(value) && typeof value['name'] === 'string')) return [];
  return wrong(value, path, 'must be a workflow or the name of one');
}

import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { runAssignments } from '../../core/evaluate/assignments.ts';
import { compileExpression } from '../../core/evaluate/evaluate.ts';
import { EvaluationError } from '../../core/evaluate/evaluation-error.ts';
import type { JsonObject } from '../../core/model/json.ts';
import { patched } from '../../core/record/patch.ts';
import { parseExpression, parseProgram } from './parse-code.ts';
import { randomData, randomExpression, type TwinSource } from './testing/random-expression.ts';
import { sampleSurface } from './testing/sample-surface.ts';
import type { SurfaceData } from '../../core/evaluate/surface.ts';

type Attempt = { readonly value: unknown } | { readonly threw: true };

function attempt(run: () => unknown): Attempt {
  try {
    return { value: run() };
  } catch (error) {
    if (error instanceof Error && error.name === 'Fault') throw error;
    return { threw: true };
  }
}

/** The naive model has no alias `variables` inside the data, so it is given one where the author has none. */
function withAlias(data: JsonObject): JsonObject {
  const copy = structuredClone(data) as Record<string, unknown>;
  if (!Object.hasOwn(copy, 'variables')) {
    Object.defineProperty(copy, 'variables', {
      configurable: true,
      get: () => copy,
      set: (value: unknown) => {
        Object.defineProperty(copy, 'variables', { value, writable: true, enumerable: true, configurable: true });
      },
    });
  }
  return copy as JsonObject;
}

/** Data that reaches the result through the alias carries an accessor; as JSON the two are the same. */
const plainShape = (outcome: Attempt): unknown =>
  'value' in outcome ? JSON.stringify(outcome.value, (_, value: unknown) => markNumber(value)) : outcome;

const markNumber = (value: unknown): unknown =>
  typeof value === 'number' && (!Number.isFinite(value) || Object.is(value, -0))
    ? `number ${Object.is(value, -0) ? '-0' : value}`
    : value;

test('[SM5] the core evaluates like JavaScript, for random expressions and data', () => {
  let natives = 0;
  fc.assert(
    fc.property(randomExpression, randomData, fc.boolean(), (twin: TwinSource, data, hasItem) => {
      const locals: JsonObject = hasItem ? { item: data['a'] ?? 'item' } : {};
      const parsed = parseExpression(twin.ours);
      if (!parsed.ok) throw new Error(`${twin.ours}: ${parsed.message}`);
      if (parsed.value.kind === 'isolate') return;
      natives += 1;
      const run = compileExpression(parsed.value);
      const ours = attempt(() => run(sampleSurface(data, locals)));
      const plain = attempt(() => runPlain(`return (${twin.plain});`, sampleSurface(withAlias(data), locals)));
      expect({ source: twin.ours, result: plainShape(ours) }).toEqual({ source: twin.ours, result: plainShape(plain) });
    }),
    { numRuns: 3000 },
  );
  expect(natives).toBeGreaterThan(2000);
});

const path = fc.constantFrom('a', 'b', 'list', 'c', 'a.a', 'b.c', 'variables.a', 'variables', 'a.b.c', 'text');
const root = fc.constantFrom('this.common_data', 'common_data', 'variables', 'executionContext.common_data');
const sign = fc.constantFrom('=', '=', '=', '+=', '-=', '||=', '??=', '&&=');
const step = fc.tuple(root, path, sign, randomExpression).map(([from, to, operator, value]) => ({
  ours: `${from}.${to} ${operator} ${value.ours}`,
  plain: `${from}.${to} ${operator} ${value.plain}`,
}));

function applied(data: JsonObject, ours: () => ReturnType<typeof runAssignments>): JsonObject {
  return patched(data, ours());
}

test('[SM5] scripts of assignments leave the data as JavaScript would, and the data given in untouched', () => {
  let natives = 0;
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 4 }), randomData, (steps, data) => {
      const parsed = parseProgram(`() => { ${steps.map((each) => each.ours).join('; ')} }`);
      if (!parsed.ok) throw new Error(parsed.message);
      const program = parsed.value;
      if (program.kind !== 'assignments') return;
      const before = structuredClone(data);
      const ours = attemptPatch(() => applied(data, () => runAssignments(program, sampleSurface(data))));
      expect(isDeepStrictEqual(before, data)).toBe(true);
      if (ours === 'refused') return;
      natives += 1;
      const target = withAlias(data);
      const body = steps
        .map((each) => each.plain)
        .join('; ')
        .replaceAll('executionContext', 'this');
      const plain = attempt(() => {
        runPlain(body, sampleSurface(target));
        return JSON.parse(JSON.stringify(target)) as JsonObject;
      });
      expect({ body, result: ours }).toEqual({ body, result: plain });
    }),
    { numRuns: 2000 },
  );
  expect(natives).toBeGreaterThan(300);
});

/** JSON would silently turn NaN into null and drop a list's extra keys; Troupe refuses, so there is nothing to compare. */
function attemptPatch(run: () => JsonObject): Attempt | 'refused' {
  try {
    return { value: run() };
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    return error.code === 'VALUE_NOT_JSON' || error.message.endsWith('is a list.') ? 'refused' : { threw: true };
  }
}

/** The surface as ordinary JavaScript objects with methods: the naive model that the evaluators are compared with. */
function plainSelf(surface: SurfaceData): Record<string, unknown> {
  const agents = withGet(
    Object.fromEntries(Object.entries(surface.agents).map(([name, agent]) => [name, plainAgent(agent)])),
  );
  const contexts = withGet({ ...surface.contexts });
  const find = (from: Record<string, unknown>, name: string): unknown => {
    if (!Object.hasOwn(from, name)) throw new Error(`no ${name}`);
    return from[name];
  };
  return {
    ...surface.locals,
    common_data: surface.common_data,
    agents,
    contexts,
    sub_workflow_result: surface.sub_workflow_result,
    last_agent_response: surface.last_agent_response,
    last_tool_calls: surface.last_tool_calls,
    last_parsing_tool_calls: surface.last_parsing_tool_calls,
    getAgent: (name: string) => find(agents, name),
    getContext: (name: string) => find(contexts, name),
    quote: quotePlainly,
    getToolCalls: (name: string) => (find(agents, name) as SurfaceData['agents'][string]).toolCalls,
  };
}

function quotePlainly(value: unknown): string {
  if (Array.isArray(value)) return value.map(quotePlainly).join(' ');
  if (!['string', 'number', 'boolean'].includes(typeof value)) throw new TypeError('nothing to quote');
  return `'${String(value)
    .split("'")
    .join(String.raw`'\''`)}'`;
}

function plainAgent(agent: SurfaceData['agents'][string]): object {
  const methods = {
    getLastResponse: () => agent.lastResponse,
    getToolCalls: () => agent.toolCalls,
    getParsingToolCalls: () => agent.parsingToolCalls,
    getRole: () => agent.role,
    getContextRole: () => agent.contextRole,
  };
  return Object.assign(Object.create(methods) as object, agent);
}

function withGet(record: Record<string, unknown>): Record<string, unknown> {
  const get = (name: string): unknown => (Object.hasOwn(record, name) ? record[name] : undefined);
  return Object.assign(Object.create({ get }) as Record<string, unknown>, record);
}

/** Runs plain JavaScript against the model, with everything by its bare name too. */
function runPlain(body: string, surface: SurfaceData): unknown {
  const self = plainSelf(surface);
  const calls = Object.fromEntries(surface.last_parsing_tool_calls.map((call) => [call.function.name, call.function]));
  const scope = { ...self, variables: surface.common_data, $function: calls };
  // The whole point of a naive model: the language itself decides what is right.
  // oxlint-disable-next-line typescript/no-implied-eval
  const run = new Function(...Object.keys(scope), `"use strict"; ${body}`);
  return Reflect.apply(run, self, Object.values(scope));
}

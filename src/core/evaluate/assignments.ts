import { cleanJson } from './clean-json.ts';
import { compileExpression } from './evaluate.ts';
import { EvaluationError } from './evaluation-error.ts';
import type { Assignment, Program } from '../model/expression.ts';
import { patchBetween, type Patch } from '../record/patch.ts';
import { isJsonObject, type Json, type JsonObject } from '../model/json.ts';
import type { SurfaceData } from './surface.ts';

/** Keys that could reach a prototype in less careful code. */
export const REFUSED_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * Runs a script of plain assignments. Each step sees the changes of earlier ones; the input data is replaced along the path,
 * never changed. The patch holds what differs at the end.
 */
export function runAssignments(program: Extract<Program, { kind: 'assignments' }>, surface: SurfaceData): Patch {
  let data = surface.common_data;
  const view = Object.create(surface, { common_data: { get: () => data } }) as SurfaceData;
  for (const step of program.steps) {
    const path = pathIn(data, step);
    const value = cleanJson(compileExpression(step.value)(view));
    data =
      value === undefined && path.length === 1
        ? withNothing(data, path[0] ?? '')
        : withValue(data, path, { value, step });
  }
  return patchBetween(surface.common_data, data) ?? {};
}

/** `common_data.variables.x` is the variable `x` unless the author has a variable called `variables`. */
function pathIn(data: JsonObject, step: Assignment): readonly string[] {
  const refused = step.path.find((key) => REFUSED_KEYS.has(key));
  if (refused !== undefined) throw new EvaluationError(`The key \`${refused}\` may not be assigned.`);
  const isAlias = step.path.length > 1 && step.path[0] === 'variables' && !Object.hasOwn(data, 'variables');
  return isAlias ? pathIn(data, { ...step, path: step.path.slice(1) }) : step.path;
}

interface Change {
  readonly value: Json | undefined;
  readonly step: Assignment;
}

/**
 * A variable set to `undefined` stays the author's until the script ends: if one called `variables` were dropped at once, it
 * would be read as the alias of the data again. The patch drops it.
 */
function withNothing(data: JsonObject, key: string): JsonObject {
  return { ...data, [key]: undefined } as unknown as JsonObject;
}

function withValue(container: JsonObject, path: readonly string[], change: Change): JsonObject {
  const [key = '', ...rest] = path;
  if (rest.length > 0) return { ...container, [key]: withValue(inner(container, key, change.step), rest, change) };
  if (change.value !== undefined) return { ...container, [key]: change.value };
  const { [key]: _dropped, ...others } = container;
  return others;
}

function inner(container: JsonObject, key: string, step: Assignment): JsonObject {
  const value = Object.hasOwn(container, key) ? container[key] : undefined;
  if (isJsonObject(value)) return value;
  const target = `common_data.${step.path.join('.')}`;
  throw new EvaluationError(`Cannot assign \`${target}\`: \`${key}\` is ${nameKind(value)}.`);
}

function nameKind(value: Json | undefined): string {
  if (value === undefined || value === null) return String(value);
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}

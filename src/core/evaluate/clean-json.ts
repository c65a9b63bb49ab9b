import { EvaluationError } from './evaluation-error.ts';
import type { Json } from '../model/json.ts';

/** The largest value a script may store, in characters of JSON. */
export const LARGEST_VALUE = 1_000_000;
const DEEPEST_VALUE = 500;

/**
 * A value as JSON would carry it: `undefined` in an object is dropped, in a list it becomes null; alone it stays undefined.
 * Values that JSON would damage silently (NaN, Infinity) or that are too large or too deep are errors. Clean values are
 * returned without copying.
 */
export function cleanJson(value: unknown): Json | undefined {
  return clean(value, { left: LARGEST_VALUE }, 0);
}

interface Budget {
  left: number;
}

function clean(value: unknown, budget: Budget, depth: number): Json | undefined {
  spend(budget, 1);
  switch (typeof value) {
    case 'string':
      spend(budget, value.length);
      return value;
    case 'number':
      return cleanNumber(value);
    case 'boolean':
      return value;
    case 'undefined':
      return undefined;
    case 'object':
      return value === null ? null : cleanContainer(value, budget, depth + 1);
    default:
      throw new EvaluationError(`A ${typeof value} cannot be stored.`, { code: 'VALUE_NOT_JSON' });
  }
}

function cleanNumber(value: number): number {
  if (Number.isFinite(value)) return value === 0 ? 0 : value;
  throw new EvaluationError(`The number ${value} cannot be stored.`, { code: 'VALUE_NOT_JSON' });
}

function cleanContainer(value: object, budget: Budget, depth: number): Json {
  if (depth > DEEPEST_VALUE) {
    throw new EvaluationError(`A value is nested more than ${DEEPEST_VALUE} levels deep.`, { code: 'VALUE_TOO_LARGE' });
  }
  return Array.isArray(value) ? cleanList(value, budget, depth) : cleanObject(value, budget, depth);
}

function cleanList(list: readonly unknown[], budget: Budget, depth: number): Json {
  const items = list.map((item) => clean(item, budget, depth) ?? null);
  return items.every((item, at) => Object.is(item, list[at])) ? (list as readonly Json[]) : items;
}

function cleanObject(value: object, budget: Budget, depth: number): Json {
  const entries: [string, Json][] = [];
  let isSame = true;
  for (const [key, item] of Object.entries(value)) {
    refuseKey(key);
    spend(budget, key.length);
    const kept = clean(item, budget, depth);
    if (kept !== undefined) entries.push([key, kept]);
    isSame &&= Object.is(kept, item) && kept !== undefined;
  }
  return isSame ? (value as Json) : Object.fromEntries(entries);
}

function refuseKey(key: string): void {
  if (key === '__proto__') throw new EvaluationError('The key `__proto__` is refused.', { code: 'VALUE_NOT_JSON' });
}

function spend(budget: Budget, amount: number): void {
  budget.left -= amount;
  if (budget.left >= 0) return;
  throw new EvaluationError(`The value is larger than ${LARGEST_VALUE} characters.`, {
    code: 'VALUE_TOO_LARGE',
  });
}

import { runInNewContext } from 'node:vm';
import { z } from 'zod';
import { Fault } from '../core/model/fault.ts';
import type { Json, JsonObject } from '../core/model/json.ts';

/** The problems of a value in one sentence, or null if it fits the JSON Schema. SCHEMA_INVALID for a bad schema. */
export function validateArguments(schema: JsonObject, value: Json): string | null {
  if (hasPrototypeKey(value)) return 'the key __proto__ is not allowed';
  const compiled = compile(schema);
  const parsed = compiled.hasPattern
    ? withinTime(() => compiled.type.safeParse(value))
    : compiled.type.safeParse(value);
  if (parsed === null) return 'checking it against a pattern of its schema took too long';
  return parsed.success ? null : parsed.error.issues.map((issue) => sentence(issue, value)).join('; ');
}

/** Why a schema cannot be used, or null. */
export function schemaProblem(schema: JsonObject): string | null {
  try {
    compile(schema);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

interface Compiled {
  readonly type: z.ZodType;
  readonly hasPattern: boolean;
}

const compiledSchemas = new WeakMap<JsonObject, Compiled>();

function compile(schema: JsonObject): Compiled {
  const known = compiledSchemas.get(schema);
  if (known !== undefined) return known;
  try {
    const compiled = {
      type: z.fromJSONSchema(schema),
      hasPattern: mentionsPattern(schema),
    };
    compiledSchemas.set(schema, compiled);
    return compiled;
  } catch (error) {
    throw new Fault(
      'SCHEMA_INVALID',
      `The JSON Schema cannot be used: ${error instanceof Error ? error.message : String(error)}.`,
      {
        hint: 'Schemas of arguments are JSON Schema with type "object", properties and required.',
        cause: error,
      },
    );
  }
}

/** A schema comes from a file, so its regular expressions may be made to run for ever. The clock is only paid for where there is one. */
function withinTime<T>(check: () => T): T | null {
  try {
    return runInNewContext('check()', { check }, { timeout: PATTERN_MS }) as T;
  } catch (error) {
    // The error belongs to the other context, so it is no instance of our own Error.
    if (Reflect.get(Object(error), 'code') === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return null;
    throw error;
  }
}

const PATTERN_MS = 500;

function mentionsPattern(value: Json): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some((item: Json) => mentionsPattern(item));
  return Object.entries(value).some(
    ([key, item]) => key === 'pattern' || key === 'patternProperties' || mentionsPattern(item),
  );
}

function hasPrototypeKey(value: Json): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some((item: Json) => hasPrototypeKey(item));
  return Object.entries(value).some(([key, item]) => key === '__proto__' || hasPrototypeKey(item));
}

function sentence(issue: z.core.$ZodIssue, value: Json): string {
  const place = issue.path.length === 0 ? '' : `${shownPlace(issue.path)}: `;
  if (issue.code === 'invalid_type' && valueAt(value, issue.path) === undefined)
    return `${place}is missing (${issue.expected})`;
  if (issue.code === 'unrecognized_keys') return `${place}unknown ${issue.keys.map((key) => `"${key}"`).join(', ')}`;
  return `${place}${issue.message.replace(/^Invalid (?:input|option|string): /, '')}`;
}

function shownPlace(path: readonly PropertyKey[]): string {
  return path
    .map((part, at) => (typeof part === 'number' ? `[${part}]` : `${at === 0 ? '' : '.'}${String(part)}`))
    .join('');
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce(
    (at: unknown, key) => (typeof at === 'object' && at !== null ? Reflect.get(at, key) : undefined),
    value,
  );
}

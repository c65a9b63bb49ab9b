import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import { mapSchemas, SCHEMA_KEYWORDS, SCHEMA_TYPES } from '../../core/schema-keywords.ts';
import { ServerProblem } from './server-problem.ts';

/**
 * The parameters of a server's tool as they are sent to models: known keywords alone, texts of bounded length, an object at
 * the root (A3). Keywords that are left out only loosen the check: the server checks what it gets. ServerProblem names what
 * no model could be sent.
 */
export function normalSchema(schema: unknown): JsonObject {
  if (!isJsonObject(schema)) throw new ServerProblem('its schema is not an object');
  const { type, properties = {}, ...rest } = normalized(schema, 0);
  if (type !== undefined && type !== 'object') throw new ServerProblem('its schema is not of type "object"');
  if (!isJsonObject(properties)) throw new ServerProblem('the properties of its schema are not an object');
  const entries = Object.entries(rest).filter(([keyword]) => !NOT_AT_ROOT.has(keyword));
  const made: JsonObject = { type: 'object', properties, ...Object.fromEntries(entries) };
  const size = JSON.stringify(made).length;
  if (size > MAX_SCHEMA) throw new ServerProblem(`its schema has ${size} characters, and ${MAX_SCHEMA} are the most`);
  return made;
}

/** Some providers refuse them there. */
const NOT_AT_ROOT: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'enum']);
/** They name things outside of the request. */
const LEFT_OUT: ReadonlySet<string> = new Set(['$schema', '$id', '$comment']);
const MAX_SCHEMA = 16_000;
const MAX_DEPTH = 16;
const MAX_TEXT = 500;

function normalized(schema: JsonObject, depth: number): JsonObject {
  if (depth > MAX_DEPTH) throw new ServerProblem('its schema is nested too deeply');
  const kept = Object.entries(schema)
    .map(([key, value]) => [key === 'definitions' ? '$defs' : key, value] as const)
    .filter(([key]) => SCHEMA_KEYWORDS.includes(key) && !LEFT_OUT.has(key));
  return Object.fromEntries(kept.map(([key, value]) => [key, valueOf(key, value, depth)]));
}

function valueOf(keyword: string, value: Json, depth: number): Json {
  if (keyword === 'type') refuseUnknownTypes(value);
  if (keyword === '$ref') return localReference(value);
  if (keyword === 'description' || keyword === 'title') {
    return typeof value === 'string' ? boundText(value, MAX_TEXT) : '';
  }
  return mapSchemas(keyword, value, (below) => normalized(below, depth + 1));
}

function refuseUnknownTypes(type: Json): void {
  for (const name of Array.isArray(type) ? type : [type]) {
    if (typeof name === 'string' && SCHEMA_TYPES.includes(name)) continue;
    throw new ServerProblem(`its schema has the type ${JSON.stringify(name).slice(0, 60)}, which JSON Schema has not`);
  }
}

/** Both names that drafts have for definitions mean the same. */
function localReference(reference: Json): string {
  const name = typeof reference === 'string' ? /^#\/(?:\$defs|definitions)\/(.+)$/.exec(reference)?.[1] : undefined;
  if (name !== undefined) return `#/$defs/${name}`;
  throw new ServerProblem('its schema refers to something outside of it');
}

/** Text of a server on one line, without control characters; what is too long is cut. */
export function boundText(text: string, most: number): string {
  const plain = text.replaceAll(/\s*\n\s*/g, ' ').replaceAll(/\p{Cc}/gu, '');
  const shown = plain.trim().toWellFormed();
  return shown.length <= most ? shown : `${shown.slice(0, most - 1).toWellFormed()}…`;
}

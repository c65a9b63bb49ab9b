import { isJsonObject, type Json, type JsonObject } from './json.ts';

/** Keywords whose value is a schema, a list of schemas, or schemas by name; then those with a value of their own. */
const ONE = ['items', 'additionalProperties', 'not', 'if', 'then', 'else', 'contains', 'propertyNames'];
const LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems', 'items'];
const NAMED = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'];
const PLAIN =
  'type enum const title description default examples format deprecated readOnly writeOnly required minProperties ' +
  'maxProperties dependentRequired minItems maxItems uniqueItems minContains maxContains minLength maxLength pattern ' +
  'minimum maximum exclusiveMinimum exclusiveMaximum multipleOf $schema $id $ref $comment';

/** The keywords of JSON Schema that providers take (A3). */
export const SCHEMA_KEYWORDS: readonly string[] = [...new Set([...PLAIN.split(' '), ...ONE, ...LISTS, ...NAMED])];

export const SCHEMA_TYPES: readonly string[] = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'];

/** The schemas in the value of a keyword, each with its path below the keyword. */
export function schemasBelow(keyword: string, value: Json): readonly SchemaBelow[] {
  if (NAMED.includes(keyword) && isJsonObject(value)) return schemasOf(Object.entries(value));
  if (LISTS.includes(keyword) && Array.isArray(value)) return schemasOf([...value.entries()]);
  return ONE.includes(keyword) && isJsonObject(value) ? [[[], value]] : [];
}

export type SchemaBelow = readonly [path: readonly (string | number)[], schema: JsonObject];

/** The value of a keyword with each schema in it replaced. */
export function mapSchemas(keyword: string, value: Json, change: (schema: JsonObject) => JsonObject): Json {
  const changed = (one: Json): Json => (isJsonObject(one) ? change(one) : one);
  if (NAMED.includes(keyword) && isJsonObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, changed(one)]));
  }
  if (LISTS.includes(keyword) && Array.isArray(value)) return value.map(changed);
  return ONE.includes(keyword) ? changed(value) : value;
}

function schemasOf(entries: readonly (readonly [string | number, Json])[]): readonly SchemaBelow[] {
  return entries.flatMap(([key, value]) => (isJsonObject(value) ? [[[key], value] as const] : []));
}

import { isJsonObject, type Json, type JsonObject } from '../model/json.ts';

/** Keywords whose value is a schema, a list of schemas, or schemas by name; then those with their own value. */
const ONE = ['items', 'additionalProperties', 'contains', 'propertyNames'];
const LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems', 'items'];
const NAMED = ['properties', 'patternProperties', '$defs'];
const PLAIN =
  'type enum const title description default examples format deprecated readOnly writeOnly required minProperties ' +
  'maxProperties minItems maxItems uniqueItems minContains maxContains minLength maxLength pattern ' +
  'minimum maximum exclusiveMinimum exclusiveMaximum multipleOf $schema $id $ref $comment';

/** The keywords of JSON Schema that providers take and replies are checked against (A3): one list for roles, tools and MCP servers. */
export const SCHEMA_KEYWORDS: readonly string[] = [...new Set([...PLAIN.split(' '), ...ONE, ...LISTS, ...NAMED])];

/** Keywords of JSON Schema that the validator of replies does not understand. */
export const UNCHECKED_KEYWORDS: readonly string[] =
  'not if then else definitions dependentSchemas dependentRequired dependencies unevaluatedItems unevaluatedProperties'.split(
    ' ',
  );

export const SCHEMA_TYPES: readonly string[] = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'];

/** The schemas in the value of a keyword, each with its path below the keyword. */
export function schemasBelow(keyword: string, value: Json): readonly SchemaBelow[] {
  if (NAMED.includes(keyword) && isJsonObject(value)) return schemasOf(Object.entries(value));
  if (LISTS.includes(keyword) && Array.isArray(value)) return schemasOf([...value.entries()]);
  return ONE.includes(keyword) && isJsonObject(value) ? [[[], value]] : [];
}

export type SchemaBelow = readonly [path: readonly (string | number)[], schema: JsonObject];

/** Why a keyword cannot have this value; null where it can. */
export const wrongValue = (keyword: string, value: Json): string | null => VALUES.get(keyword)?.(value) ?? null;

type ValueCheck = (value: Json) => string | null;

const isSchema = (value: Json): boolean => isJsonObject(value) || typeof value === 'boolean';
const isPlain = (value: Json): boolean => typeof value !== 'object' || value === null;
const isText = (value: Json): boolean => typeof value === 'string';

const oneSchema: ValueCheck = (value) => (isSchema(value) ? null : 'must be a schema');
const listOf =
  (isRight: (value: Json) => boolean, what: string): ValueCheck =>
  (value) =>
    Array.isArray(value) && value.every(isRight) ? null : `must be a list of ${what}`;
const schemaList = listOf(isSchema, 'schemas');
const schemaMap: ValueCheck = (value) =>
  isJsonObject(value) && Object.values(value).every(isSchema) ? null : 'must be a mapping of names to schemas';

const pattern: ValueCheck = (value) => {
  try {
    return typeof value === 'string' && new RegExp(value) ? null : 'must be text';
  } catch {
    return `is not a regular expression: ${JSON.stringify(value)}`;
  }
};

const VALUES: ReadonlyMap<string, ValueCheck> = new Map([
  ...ONE.map((keyword) => [keyword, oneSchema] as const),
  ...LISTS.map((keyword) => [keyword, schemaList] as const),
  ...NAMED.map((keyword) => [keyword, schemaMap] as const),
  ['items', (value: Json) => (Array.isArray(value) ? schemaList(value) : oneSchema(value))],
  [
    'patternProperties',
    (value: Json) =>
      schemaMap(value) ??
      Object.keys(Object(value))
        .map(pattern)
        .find((one) => one !== null) ??
      null,
  ],
  ['enum', listOf(isPlain, 'texts, numbers, booleans or null')],
  ['const', (value: Json) => (isPlain(value) ? null : 'must be a text, a number, a boolean or null')],
  ['required', listOf(isText, 'names')],
  ['pattern', pattern],
]);

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

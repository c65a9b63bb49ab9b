import { isJsonObject, type Json, type JsonObject } from '../model/json.ts';
import { SCHEMA_KEYWORDS, SCHEMA_TYPES, schemasBelow, UNCHECKED_KEYWORDS, wrongValue } from './schema-keywords.ts';

/** A part of a tool's schema that cannot be sent to models, or that replies cannot be checked against (A3). */
export interface SchemaFault {
  readonly code: 'SCHEMA_KEYWORD' | 'SCHEMA_TYPE' | 'SCHEMA_VALUE' | 'SCHEMA_REQUIRED' | 'SCHEMA_REF';
  readonly path: readonly (string | number)[];
  readonly message: string;
  /** What to do, where that is known. */
  readonly hint?: string;
  /** The names one of which was meant. */
  readonly known?: readonly string[];
}

/** All faults. A schema without one is understood by the validator that replies are checked with. */
export function schemaFaults(
  schema: JsonObject,
  path: SchemaFault['path'] = [],
  root: JsonObject = schema,
): readonly SchemaFault[] {
  const ofKeywords = Object.entries(schema).flatMap(([keyword, value]): readonly SchemaFault[] => {
    const at = [...path, keyword];
    const below = schemasBelow(keyword, value).flatMap(([more, part]) => schemaFaults(part, [...at, ...more], root));
    return [...keywordFaults(keyword, value, at), ...below];
  });
  return [
    ...ofKeywords,
    ...typeFaults(schema, path),
    ...requiredFaults(schema, path),
    ...referenceFaults(schema, path, root),
  ];
}

function keywordFaults(keyword: string, value: Json, path: SchemaFault['path']): readonly SchemaFault[] {
  if (UNCHECKED_KEYWORDS.includes(keyword)) {
    const message = `"${keyword}" cannot be used: replies are not checked against it.`;
    const hint = 'For arguments that are needed only beside certain others write "needs" beside "function".';
    return [{ code: 'SCHEMA_KEYWORD', path, message, hint }];
  }
  if (!SCHEMA_KEYWORDS.includes(keyword)) {
    const message = `"${keyword}" is not a keyword of JSON Schema.`;
    const found = { code: 'SCHEMA_KEYWORD', path, message } as const;
    if (value !== null) return [{ ...found, known: SCHEMA_KEYWORDS }];
    return [{ ...found, hint: 'Inside { } a comma begins the next key: put text that has a comma in quotes.' }];
  }
  const wrong = wrongValue(keyword, value);
  return wrong === null ? [] : [{ code: 'SCHEMA_VALUE', path, message: `"${keyword}" ${wrong}.` }];
}

function typeFaults({ type }: JsonObject, path: SchemaFault['path']): readonly SchemaFault[] {
  if (type === undefined) return [];
  return (Array.isArray(type) ? type : [type])
    .filter((name) => typeof name !== 'string' || !SCHEMA_TYPES.includes(name))
    .map((name) => ({
      code: 'SCHEMA_TYPE',
      path: [...path, 'type'],
      message: `${JSON.stringify(name)} is not a type of JSON Schema.`,
      hint: `The types are ${SCHEMA_TYPES.join(', ')}.`,
    }));
}

/** A required property that is not allowed can never be satisfied. */
function requiredFaults(schema: JsonObject, path: SchemaFault['path']): readonly SchemaFault[] {
  const { required, properties, additionalProperties } = schema;
  if (!Array.isArray(required) || additionalProperties !== false || !isJsonObject(properties)) return [];
  const known = Object.keys(properties);
  return required.flatMap((name: Json, index): readonly SchemaFault[] => {
    if (typeof name !== 'string' || known.includes(name)) return [];
    const message = `"${name}" is required and is not one of the properties.`;
    return [{ code: 'SCHEMA_REQUIRED', path: [...path, 'required', index], message, known }];
  });
}

/** Definitions stand at the root, below `$defs`. */
function referenceFaults({ $ref }: JsonObject, path: SchemaFault['path'], root: JsonObject): readonly SchemaFault[] {
  if ($ref === undefined || $ref === '#') return [];
  const name = typeof $ref === 'string' ? /^#\/\$defs\/([^/~%]+)$/.exec($ref)?.[1] : undefined;
  const { $defs } = root;
  if (name !== undefined && isJsonObject($defs) && isJsonObject($defs[name])) return [];
  const message = `The reference ${JSON.stringify($ref)} leads nowhere.`;
  const hint = 'Write "#/$defs/NAME", with NAME below "$defs" at the root of the parameters.';
  return [{ code: 'SCHEMA_REF', path: [...path, '$ref'], message, hint }];
}

import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';

/** A JSON Schema on one line: `{path: string "Relative to the project", limit?: integer minimum=1}`. */
export function toolSchemaText(schema: Json | undefined): string {
  if (!isJsonObject(schema ?? null)) return schema === undefined ? 'any' : JSON.stringify(schema);
  const { description, ...rest } = schema as JsonObject;
  const described = typeof description === 'string' && description !== '' ? ` ${JSON.stringify(description)}` : '';
  return `${shapeText(rest)}${described}`;
}

function shapeText(schema: JsonObject): string {
  const { type, properties, required, items, enum: values, additionalProperties, anyOf, ...rest } = schema;
  const more = Object.entries(rest).map(([name, value]) => ` ${name}=${JSON.stringify(value)}`);
  // What tools usually say needs no word; the rest does.
  if (additionalProperties !== undefined && additionalProperties !== false) {
    more.push(` others: ${toolSchemaText(additionalProperties)}`);
  }
  return `${coreText({ type, properties, required, items, values, anyOf })}${more.join('')}`;
}

type Core = Readonly<Record<'type' | 'properties' | 'required' | 'items' | 'values' | 'anyOf', Json | undefined>>;

function coreText({ type, properties, required, items, values, anyOf }: Core): string {
  if (Array.isArray(values)) return values.map((value: Json) => JSON.stringify(value)).join('|');
  if (Array.isArray(anyOf)) return anyOf.map((one: Json) => toolSchemaText(one)).join(' or ');
  const types = Array.isArray(type) ? type.join('|') : typeof type === 'string' ? type : 'any';
  if (isJsonObject(properties ?? null)) return withNull(types, fieldsText(properties as JsonObject, required));
  return items === undefined ? types : withNull(types, `[${toolSchemaText(items)}]`);
}

const withNull = (types: string, text: string): string => (types.includes('null') ? `${text} or null` : text);

function fieldsText(properties: JsonObject, required: Json | undefined): string {
  const needed = new Set(Array.isArray(required) ? (required as readonly Json[]) : []);
  const fields = Object.entries(properties).map(
    ([name, schema]) => `${name}${needed.has(name) ? '' : '?'}: ${toolSchemaText(schema)}`,
  );
  return `{${fields.join(', ')}}`;
}

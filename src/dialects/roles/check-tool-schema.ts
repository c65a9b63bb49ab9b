import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import { SCHEMA_KEYWORDS, SCHEMA_TYPES, schemasBelow } from '../../core/schema-keywords.ts';
import { nameHint } from '../source/closest-name.ts';
import type { ProblemReport } from '../source/problem-report.ts';
import type { SourcePath } from '../source/source-path.ts';

/**
 * Reports what is no JSON Schema in the parameters of a tool. A provider refuses or ignores an unknown keyword, and in YAML
 * it is easily written by accident: inside braces the comma of an unquoted sentence begins the next key.
 */
export function checkToolSchema(schema: JsonObject, path: SourcePath, report: ProblemReport): void {
  for (const [keyword, value] of Object.entries(schema)) {
    const at = [...path, keyword];
    if (!SCHEMA_KEYWORDS.includes(keyword)) {
      const message = `"${keyword}" is not a keyword of JSON Schema.`;
      report.error('SCHEMA_KEYWORD', message, { path: at, part: 'key', hint: keywordHint(keyword, value) });
    }
    for (const [below, part] of schemasBelow(keyword, value)) checkToolSchema(part, [...at, ...below], report);
  }
  checkTypes(schema, path, report);
  checkRequired(schema, path, report);
}

function keywordHint(keyword: string, value: Json): string | undefined {
  if (value === null) return 'Inside { } a comma begins the next key: put text that has a comma in quotes.';
  return nameHint(keyword, SCHEMA_KEYWORDS);
}

function checkTypes({ type }: JsonObject, path: SourcePath, report: ProblemReport): void {
  if (type === undefined) return;
  for (const name of Array.isArray(type) ? type : [type]) {
    if (typeof name === 'string' && SCHEMA_TYPES.includes(name)) continue;
    const message = `${JSON.stringify(name)} is not a type of JSON Schema.`;
    report.error('SCHEMA_TYPE', message, {
      path: [...path, 'type'],
      hint: `The types are ${SCHEMA_TYPES.join(', ')}.`,
    });
  }
}

/** A property that is required and may not be given can never be right. */
function checkRequired(schema: JsonObject, path: SourcePath, report: ProblemReport): void {
  const { required, properties, additionalProperties } = schema;
  if (!Array.isArray(required) || additionalProperties !== false || !isJsonObject(properties)) return;
  const names = Object.keys(properties);
  for (const [index, name] of required.entries()) {
    if (typeof name !== 'string' || names.includes(name)) continue;
    const message = `"${name}" is required and is not one of the properties.`;
    report.error('SCHEMA_REQUIRED', message, { path: [...path, 'required', index], hint: nameHint(name, names) });
  }
}

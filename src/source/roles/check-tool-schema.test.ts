import { expect, test } from 'vitest';
import { readDocument } from '../read-document.ts';
import { problemReport } from '../problem-report.ts';
import { checkToolSchema } from './parse-roles.ts';
import type { JsonObject } from '../../core/model/json.ts';

function problemsOf(text: string) {
  const source = readDocument(text, { file: 'tool.yaml' });
  if (!source.ok) throw new Error(JSON.stringify(source.problems));
  const report = problemReport({ file: 'tool.yaml', locate: source.value.locate });
  checkToolSchema(source.value.document as JsonObject, [], report);
  return report.sorted();
}

test('[A3] a comma in an unquoted description is reported where it turned into a keyword', () => {
  const text = 'type: object\nproperties:\n  ranking: { type: array, description: The works, the best first }\n';
  expect(problemsOf(text)).toMatchObject([
    {
      code: 'SCHEMA_KEYWORD',
      message: '"the best first" is not a keyword of JSON Schema.',
      at: { line: 3 },
      path: 'properties.ranking["the best first"]',
      hint: 'Inside { } a comma begins the next key: put text that has a comma in quotes.',
    },
  ]);
});

test.for([
  ['a misspelt keyword', 'type: object\nadditionalPropertis: false', 'SCHEMA_KEYWORD'],
  ['a keyword of a schema in a list', 'anyOf:\n  - { type: string }\n  - { typ: string }', 'SCHEMA_KEYWORD'],
  ['a keyword of the items', 'type: array\nitems: { descripton: x }', 'SCHEMA_KEYWORD'],
  ['a type that JSON does not have', 'properties: { a: { type: text } }', 'SCHEMA_TYPE'],
  ['a condition', 'type: object\nif: { required: [a] }\nthen: { required: [b] }', 'SCHEMA_KEYWORD', 'SCHEMA_KEYWORD'],
  ['what others depend on', 'type: object\ndependentRequired: { a: [b] }', 'SCHEMA_KEYWORD'],
  ['a negation', 'properties: { a: { not: { type: string } } }', 'SCHEMA_KEYWORD'],
  ['a pattern that is none', 'properties: { a: { type: string, pattern: "(" } }', 'SCHEMA_VALUE'],
  ['values that are no list', 'properties: { a: { enum: yes } }', 'SCHEMA_VALUE'],
  ['properties that are no mapping', 'type: object\nproperties: [a]', 'SCHEMA_VALUE'],
  ['a reference that leads nowhere', 'properties: { a: { $ref: "#/$defs/b" } }', 'SCHEMA_REF'],
  ['a reference to a file', 'properties: { a: { $ref: other.json } }', 'SCHEMA_REF'],
  [
    'a required property that may not be given',
    'type: object\nadditionalProperties: false\nrequired: [verdict]\nproperties: { verdikt: {} }',
    'SCHEMA_REQUIRED',
  ],
] as const)('[A3] %s is an error', ([, text, ...codes]) => {
  expect(problemsOf(text).map((problem) => problem.code)).toEqual(codes);
});

test('[A3] names of properties and of definitions may be any, and values of default too', () => {
  const text =
    '{"type": ["object", "null"], "properties": {"the best": {"enum": ["x", 1]}, "type": {"default": {"y": 2}}}, "$defs": {"z": {"const": null}}}';
  expect(problemsOf(text)).toEqual([]);
});

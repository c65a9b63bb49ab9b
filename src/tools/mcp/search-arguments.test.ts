import { expect, test } from 'vitest';
import { searchArguments } from './search-server.ts';
import { ServerProblem } from './process-transport.ts';

const schema = (properties: Readonly<Record<string, unknown>>) => ({ type: 'object', properties });
const text = { type: 'string' };

test.each([
  [{ query: text }, { query: 'cats' }],
  [{ q: text, lang: text }, { q: 'cats' }],
  [{ topic: text, deep: { type: 'boolean' } }, { topic: 'cats' }],
  [{ queries: { type: 'array' } }, { queries: ['cats'] }],
  [
    { query: text, limit: { type: 'integer', maximum: 5 } },
    { query: 'cats', limit: 5 },
  ],
  [
    { query: text, count: { type: 'number', minimum: 10 } },
    { query: 'cats', count: 10 },
  ],
  [{ query: text, size: { enum: ['small', 'large'] } }, { query: 'cats' }],
])('[SM7] of the arguments %j the query and the number are found', (properties, found) => {
  expect(searchArguments(schema(properties), { query: 'cats', count: 8 })).toEqual(found);
});

test.each([[null], [{}], [schema({})], [schema({ a: text, b: text })], [schema({ n: { type: 'integer' } })]])(
  '[L3] the schema %j has no place for a query',
  (given) => {
    expect(() => searchArguments(given, { query: 'cats', count: 8 })).toThrow(ServerProblem);
  },
);

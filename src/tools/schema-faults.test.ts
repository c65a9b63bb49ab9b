import fc from 'fast-check';
import { expect, test } from 'vitest';
import { schemaProblem } from './validate-arguments.ts';
import type { JsonObject } from '../core/model/json.ts';
import { schemaFaults } from '../core/check/schema-faults.ts';
import { SCHEMA_KEYWORDS, SCHEMA_TYPES, UNCHECKED_KEYWORDS } from '../core/check/schema-keywords.ts';

const names = [...SCHEMA_KEYWORDS, ...UNCHECKED_KEYWORDS].filter((name) => name !== '$schema');

/** Keywords with values that are right for some of them and wrong for others. */
const { schema } = fc.letrec<{ schema: JsonObject; value: unknown }>((tie) => ({
  schema: fc.dictionary(fc.constantFrom(...names), tie('value') as fc.Arbitrary<never>, { maxKeys: 4 }),
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(...SCHEMA_TYPES, '#/$defs/a', '#', '(', '^a', 1, -1, true, null),
    fc.array(fc.constantFrom('a', 1, null, ...SCHEMA_TYPES), { maxLength: 3 }),
    tie('schema'),
    fc.dictionary(fc.constantFrom('a', 'b', '('), tie('schema'), { maxKeys: 2 }),
    fc.array(tie('schema'), { maxLength: 2 }),
  ),
}));

test('[A3] a schema without a fault is one that replies can be checked against', () => {
  fc.assert(
    fc.property(schema, (given) => {
      fc.pre(schemaFaults(given).length === 0);
      expect(schemaProblem(given)).toBeNull();
    }),
    { numRuns: 2000, maxSkipsPerRun: 200 },
  );
});

test.each(UNCHECKED_KEYWORDS)('[A3] %s is a fault where the validator does not know it', (keyword) => {
  expect(schemaFaults({ type: 'object', [keyword]: {} })).toMatchObject([{ code: 'SCHEMA_KEYWORD', path: [keyword] }]);
});

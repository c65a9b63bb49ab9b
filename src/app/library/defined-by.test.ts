import { expect, test } from 'vitest';
import type { Fact, JournalRecord } from '../../core/record/fact.ts';
import { bodyHash } from '../../core/model/ids.ts';
import { definitionOf, end } from '../../core/testing/definitions.ts';
import { TestedRun } from '../../core/testing/tested-run.ts';
import { definedBy } from './defining-records.ts';

const recordsOf = (facts: readonly Fact[]): readonly JournalRecord[] =>
  facts.map((fact, index) => ({ seq: index + 1, at: 1000, fact }));

test('[ST5] the definition of a run is the one it began with, or the last that it was given', () => {
  const run = new TestedRun(definitionOf([end('stop')]));
  const records = recordsOf(run.facts);
  const { definition, workflow } = run.snapshot;
  expect(definedBy(records)).toMatchObject({ definition, workflow });
  const redefined = recordsOf([...run.facts, { kind: 'run.redefined', definition: bodyHash('h'), by: 'ada' }]);
  expect(definedBy(redefined)).toMatchObject({ definition: 'h', workflow });
});

import { expect, test } from 'vitest';
import type { Expression } from '../model/expression.ts';
import { definitionOf, end } from '../testing/definitions.ts';
import { isolate, literal, throwing, variable } from '../testing/expressions.ts';
import { TestedRun } from '../testing/tested-run.ts';

const ending = (failure: Expression, data = {}) =>
  new TestedRun(definitionOf([{ ...end('lost', 'partial', literal('half')), failure }], { data }));

test('[L3] an end says why the run ended like this, with a code', () => {
  const why = { code: 'HALF_DONE', message: 'Half of it is done.', hint: 'Do the rest.' };
  expect(ending(variable('why'), { why }).snapshot.result).toEqual({
    outcome: 'partial',
    output: 'half',
    failure: { ...why, class: 'logic' },
  });
});

test('[L3] a text alone is the reason; any other value is reported as JSON; nothing is no reason', () => {
  expect(ending(literal('because')).snapshot.result?.failure).toEqual({
    code: 'ENDED_BY_WORKFLOW',
    message: 'because',
    class: 'logic',
  });
  expect(ending(literal({ reason: 1 })).snapshot.result?.failure?.message).toBe('{"reason":1}');
  expect(ending(literal(null)).snapshot.result?.failure).toBeNull();
});

test('[L3] a reason that cannot be computed is a failure itself', () => {
  expect(ending(throwing).snapshot.result).toMatchObject({ outcome: 'failed', failure: { code: 'SCRIPT_FAILED' } });
});

test('[L8] a reason that needs the isolate is waited for', () => {
  expect(ending(isolate('({})')).snapshot.status).toBe('running');
});

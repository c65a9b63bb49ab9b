import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileExpression } from '../../core/evaluate/evaluate.ts';
import { EvaluationError } from '../../core/evaluate/evaluation-error.ts';
import { parseExpression } from '../../source/expression/parse-code.ts';
import { randomData, randomExpression } from '../../source/expression/testing/random-expression.ts';
import { sampleSurface } from '../../source/expression/testing/sample-surface.ts';
import { loadScriptRunner } from './run-script.ts';

const runner = await loadScriptRunner({ memoryBytes: 32_000_000 });

const THREW = 'threw';

test('[SM5] an expression means the same in the core and in the isolate', () => {
  let natives = 0;
  fc.assert(
    fc.property(randomExpression, randomData, (twin, data) => {
      const parsed = parseExpression(twin.ours);
      if (!parsed.ok || parsed.value.kind === 'isolate') return;
      natives += 1;
      const { common_data: _, ...rest } = sampleSurface(data, { item: 'item' });
      const { outcome } = runner.run({
        source: twin.plain,
        reads: ['common_data', ...Object.keys(rest)],
        wants: 'value',
        data: JSON.stringify(data),
        rest: JSON.stringify(rest),
        fuel: 1000,
      });
      const isolated = outcome.ok ? outcome.json : THREW;
      const run = compileExpression(parsed.value);
      expect({ source: twin.ours, result: asJson(() => run(sampleSurface(data, { item: 'item' }))) }).toEqual({
        source: twin.ours,
        result: isolated,
      });
    }),
    { numRuns: 500 },
  );
  expect(natives).toBeGreaterThan(300);
});

function asJson(run: () => unknown): string | null {
  try {
    return JSON.stringify(run()) ?? null;
  } catch (error) {
    if (error instanceof EvaluationError) return THREW;
    throw error;
  }
}

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chargeOf } from '../../src/core/record/charge.ts';
import type { JournalRecord } from '../../src/core/record/fact.ts';
import type { RunId } from '../../src/core/model/ids.ts';
import { RunLogLines } from '../../src/protocol/log-lines/run-log-lines.ts';
import type { Span } from '../../src/telemetry/span.ts';
import { TraceFold } from '../../src/telemetry/run-spans.ts';
import { addStep, historyStep, ownCharges, RandomHistory } from '../../web/model/testing/random-history.ts';

/** Trees of runs with failed and lost calls, children and undone work. */
const trees = fc.array(historyStep, { maxLength: 40 }).map((steps): readonly [RunId, readonly JournalRecord[]][] => {
  const history = new RandomHistory();
  for (const step of steps) if (step.kind !== 'fork') addStep(history, step);
  return [...history.journals];
});

const known = (costs: readonly (number | null | undefined)[]): number =>
  costs.reduce<number>((sum, cost) => sum + (cost ?? 0), 0);

function costOf({ attributes }: Span): number {
  const cost = attributes['troupe.cost_usd'];
  return typeof cost === 'object' && cost !== null && 'double' in cost ? cost.double : 0;
}

test('[R4] the spans of a run cost what its records cost, failed and lost calls among them', () => {
  fc.assert(
    fc.property(trees, (journals) => {
      for (const [run, records] of journals) {
        const fold = new TraceFold({ traceId: 'a'.repeat(32), parentSpanId: null, hasContent: false });
        const spans = records.flatMap((record) => fold.take(run, record));
        const paid = ownCharges(records);
        expect(known(spans.map(costOf))).toBe(known(paid.map(({ costUsd }) => costUsd)));
        const tokens = spans.map(({ attributes }) => attributes['gen_ai.usage.input_tokens']);
        expect(known(tokens as readonly number[])).toBe(known(paid.map(({ usage }) => usage.inputTokens)));
      }
    }),
  );
});

test('[R4] the log line of a record tells what the record cost, failed and lost calls among them', () => {
  fc.assert(
    fc.property(trees, (journals) => {
      for (const [run, records] of journals) {
        const teller = new RunLogLines(run);
        for (const record of records) {
          const charge = chargeOf(record.fact);
          const lines = teller.linesOf(record).filter((line) => 'cost_usd' in line);
          expect(lines.map(({ cost_usd, input_tokens }) => [cost_usd, input_tokens])).toEqual(
            charge === null ? [] : [[charge.costUsd, charge.usage.inputTokens]],
          );
        }
      }
    }),
  );
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { debateScript } from './debate-move.ts';
import { OUR_DEBATE } from './debate.ts';
import { playDebate } from './random-debate.ts';

const RUNS = 1500;
const SEED = Number(process.env['TROUPE_FUZZ_SEED'] ?? 20_261_116);

test(`[RV1]–[RV14] ${RUNS} random debates keep every rule through lies, silence, garbage and reviewers that drop out`, () => {
  const outcomes = new Map<string, number>();
  const closings = new Map<string, number>();
  fc.assert(
    fc.property(debateScript, (script) => {
      const ledger = playDebate(script, OUR_DEBATE);
      const kind = ledger.outcome?.kind ?? 'open';
      outcomes.set(kind, (outcomes.get(kind) ?? 0) + 1);
      for (const { closed } of ledger.findings) {
        const how = closed === null ? 'open' : `${closed.how} ${closed.stands ? 'stands' : 'gone'}`;
        closings.set(how, (closings.get(how) ?? 0) + 1);
      }
    }),
    { seed: SEED, numRuns: Number(process.env['TROUPE_FUZZ_RUNS'] ?? RUNS) },
  );
  // All ways in which a debate and a finding can end were met, or the test shows nothing.
  expect([...outcomes.keys()].sort()).toEqual(['consensus', 'last-round', 'nobody', 'open', 'single', 'stalemate']);
  expect([...closings.keys()].sort()).toEqual([
    'agreed stands',
    'evidence gone',
    'evidence stands',
    'fixed gone',
    'open',
    'withdrawn gone',
  ]);
}, 600_000);

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DEBATES, debateScript, reply } from './debate-move.ts';
import { OUR_DEBATE } from './debate.ts';
import { playDebate, worded } from './random-debate.ts';

/** `npm run prove` plays more. */
const RUNS = Number(process.env['TROUPE_FUZZ_RUNS'] ?? DEBATES.numRuns);
const SEED = Number(process.env['TROUPE_FUZZ_SEED'] ?? DEBATES.seed);

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
    { seed: SEED, numRuns: RUNS },
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

test('[RV8] whatever reviewers say, or if they say nothing, it is over when each had its turn in every round', () => {
  const words = fc.array(fc.option(reply, { nil: null }), { minLength: 30, maxLength: 30 });
  const size = fc.record({ reviewers: fc.integer({ min: 2, max: 4 }), maxRounds: fc.integer({ min: 1, max: 5 }) });
  fc.assert(
    fc.property(size, words, ({ reviewers, maxRounds }, said) => {
      const names = ['rev_1', 'rev_2', 'rev_3', 'rev_4'].slice(0, reviewers);
      let ledger = OUR_DEBATE.newLedger(names, ['impl_1', 'impl_2'], maxRounds);
      let turns = 0;
      for (let who = OUR_DEBATE.nextSpeaker(ledger); who !== null; who = OUR_DEBATE.nextSpeaker(ledger)) {
        const take = turns < reviewers ? OUR_DEBATE.takeReview : OUR_DEBATE.takePosition;
        const given = said[turns % said.length] ?? null;
        ledger = take(ledger, who, given === null ? null : worded(given)).ledger;
        turns += 1;
        expect(turns).toBeLessThanOrEqual(reviewers * (maxRounds + 1));
      }
      expect(ledger.outcome).not.toBe(null);
    }),
    { seed: SEED, numRuns: 300 },
  );
});

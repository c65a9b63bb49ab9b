import { expect, test } from 'vitest';
import { fuzz } from './fuzz.ts';
import { OURS } from './interpreter.ts';
import { PLAY_BYTES, playRandomly } from './random-play.ts';

/** As many as `test/mutants` needs to notice every defect it plants. `npm run prove` plays more. */
const RUNS = 500;

test(`[I1]–[I5] ${RUNS} random workflows keep every rule of the interpreter through random events, stale ones and crashes`, () => {
  const kinds = new Map<string, number>();
  const outcomes = new Map<string, number>();
  fuzz(RUNS, {
    bytes: PLAY_BYTES,
    check: (bytes) => {
      const play = playRandomly(bytes, OURS);
      for (const kind of new Set(play.facts.map((fact) => fact.kind))) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
      const outcome = play.snapshot.result?.outcome ?? 'open';
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    },
  });
  expect(kinds.size).toBe(34);
  expect(outcomes.size).toBeGreaterThan(6);
}, 600_000);

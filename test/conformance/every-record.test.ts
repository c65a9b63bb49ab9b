import { expect, test } from 'vitest';
import { fuzz } from './fuzz.ts';
import { OURS } from './interpreter.ts';
import { PLAY_BYTES, playRandomly } from './random-play.ts';

/** `npm run prove` plays more. */
const RUNS = 40;

test(`[FO3] [RW2] ${RUNS} random runs, forked and put back at every one of their records, come to an end each time`, () => {
  let records = 0;
  fuzz(RUNS, {
    bytes: PLAY_BYTES,
    check: (bytes) => {
      const play = playRandomly(bytes, OURS);
      records += play.records.length;
      for (const { seq } of play.records) {
        play.checkFork(seq);
        play.checkRewound(seq);
      }
    },
  });
  expect(records).toBeGreaterThan(RUNS * 10);
}, 3_600_000);

import { expect, test } from 'vitest';
import { reviewStateIn } from '../../src/formats/review/views/review-state-in.ts';
import { yesMan } from './manners.ts';
import { ReviewBench } from './review-bench.ts';
import { definitionOf, reviewFile } from './review-file.ts';

const EXISTS = 'test -f src/bech32.ts';

test('[PD7] what a program of the rules could not do ends the run as failed, with all that is known', async () => {
  const bench = new ReviewBench({ rev_1: yesMan, rev_2: yesMan });
  const failure = { code: 'DISK_FULL', message: 'There is no room.', class: 'crash' } as const;
  const { formats } = bench.world;
  const { host } = bench.bench.host({
    formats: {
      ...formats,
      program: async (name) =>
        name === 'review.take' ? async () => ({ output: null, failure }) : await formats.program(name),
    },
  });
  const definition = await definitionOf(reviewFile({ verify: EXISTS }));
  const run = await host.start({ definition, input: { task: 'Make it.' }, project: bench.bench.project });
  expect(await host.rest(run)).toMatchObject({
    outcome: 'failed',
    output: { winner: null, lost: [], evidence: { impl_1: { isGreen: true } } },
    failure: { code: failure.code, message: failure.message },
  });
  expect(reviewStateIn((await host.snapshot(run)).data)?.alive).toHaveLength(3);
}, 60_000);

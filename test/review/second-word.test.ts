import { expect, test } from 'vitest';
import { says } from '../../src/host/testing/test-world.ts';
import type { Part } from './cast.ts';
import { yesMan } from './manners.ts';
import { ReviewBench } from './review-bench.ts';
import { reviewFile } from './review-file.ts';
import { hands } from './reviewer-mind.ts';

/** One of its two places does not exist; asked to correct that, it only talks. */
const talks: Part = (request) => {
  if (request.state !== 'review') return yesMan(request);
  if (request.call > 1) return says('I am sorry about that.');
  const finding = {
    implementation: 'impl_1',
    severity: 'major',
    priority: 2,
    change: 'Fix it.',
    file: 'src/bech32.ts',
  };
  return hands('hand_in_review', {
    verdict: 'REVISE_BEST',
    ranking: ['impl_1', 'impl_3', 'impl_2'],
    findings: [
      { ...finding, line: 4711, claim: 'Odd.' },
      { ...finding, line: 3, claim: 'Even.' },
    ],
    summary: 'Two points.',
  });
};

test('[PD3] [RV2] a reviewer that does not correct its review is taken at its first word: no finding and no verdict is lost', async () => {
  const bench = new ReviewBench({ rev_2: talks, rev_1: yesMan });
  await bench.start(reviewFile({ verify: 'grep -q lastIndexOf src/bech32.ts', extra: 'max_revisions: 0\n' }));
  const { findings, positions } = await bench.ledger();
  const own = findings.filter(({ by }) => by === 'rev_2');
  expect(own.map(({ claim, isVerified }) => [claim, isVerified])).toEqual([
    ['Odd.', false],
    ['Even.', true],
  ]);
  expect(positions.find(({ reviewer }) => reviewer === 'rev_2')).toMatchObject({ verdict: 'REVISE_BEST' });
}, 60_000);

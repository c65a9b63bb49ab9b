import { expect, test } from 'vitest';
import type { CallRequest } from '../../src/actors/port.ts';
import { says } from '../../src/host/testing/test-world.ts';
import type { Part } from './cast.ts';
import { ReviewBench } from './review-bench.ts';
import { reviewFile } from './review-file.ts';
import { hands } from './reviewer-mind.ts';

const talks: Part = () => says('They all look good to me. I would take the first one.');

const finding = (line: number) => ({
  implementation: 'impl_1',
  severity: 'major',
  priority: 1,
  file: 'src/bech32.ts',
  line,
  claim: `Line ${line} is wrong.`,
  change: 'Correct it.',
});

const ranking = ['impl_1', 'impl_2', 'impl_3'];
const stances = [1, 2, 3].map((id) => ({ finding: `F${id}`, stance: 'agree', reason: 'I said so.' }));
const position = { verdict: 'REVISE_BEST', ranking, stances, findings: [] };

/** Hands in three findings, one of them with a line that does not exist, and answers with the tool of the debate when that comes back. */
function confused({ state, call }: CallRequest) {
  if (state === 'review' && call > 2) return says('I handed it in.');
  if (state !== 'review' || call > 1) return hands('hand_in_position', position);
  const findings = [1, 2, 99_999].map(finding);
  return hands('hand_in_review', { verdict: 'REVISE_BEST', ranking, findings, summary: 'Three points.' });
}

test('[A4] text never becomes a finding, and a review that comes back keeps its findings whatever answers it', async () => {
  const bench = new ReviewBench({ rev_1: talks, rev_2: confused });
  await bench.start(reviewFile({ verify: 'test -e src/bech32.ts', extra: 'max_revisions: 0\n' }));
  const { findings, out } = await bench.ledger();
  expect(bench.calls.filter(({ agent }) => agent === 'rev_1')).toHaveLength(2);
  expect(JSON.stringify(out)).toContain('asked twice for `hand_in_review`');
  const claims = findings.filter(({ by }) => by !== 'engine').map(({ claim }) => claim);
  expect(claims).toEqual(['Line 1 is wrong.', 'Line 2 is wrong.', 'Line 99999 is wrong.']);
  const heard = (call: number) =>
    bench.calls.find((one) => one.agent === 'rev_2' && one.call === call)?.messages.at(-1)?.content;
  expect(heard(2)).toMatch(/^Not accepted yet\..*lines, but not a line 99999\./s);
  expect(heard(3)).toContain('This turn ends with `hand_in_review`; `hand_in_position` belongs to another turn.');
  expect((await bench.way()).filter((state) => state === 'review')).toHaveLength(1);
}, 60_000);

import { expect, test } from 'vitest';
import { dropImplementation, dropReviewer } from './drop-reviewer.ts';
import { takeReview } from './take-review.ts';
import { clean, draft, ledgerOf, reply, said } from './testing/debates.ts';

const codes = (taken: ReturnType<typeof takeReview>) => taken.problems.map(({ code }) => code);

test('[RV1] findings get their ids from the ledger, in the order in which they came', () => {
  const ledger = said(
    ledgerOf(),
    ['ann', reply('REVISE_BEST', { findings: [draft('one'), draft('two')] })],
    ['bob', reply('REVISE_BEST', { findings: [draft('three')] })],
  );
  expect(ledger.findings.map(({ id, by, claim, round }) => [id, by, claim, round])).toEqual([
    ['F1', 'ann', 'one', 0],
    ['F2', 'ann', 'two', 0],
    ['F3', 'bob', 'three', 0],
  ]);
  expect(ledger.findings.every(({ closed, isVerified }) => closed === null && !isVerified)).toBe(true);
});

test('[RV1] errors in a review are reported, and the rest of it is taken', () => {
  const given = { verdict: 'LGTM', ranking: ['impl_2', 'impl_2', 'impl_7'], findings: [draft('one', { priority: 9 })] };
  const taken = takeReview(ledgerOf(), 'ann', given);
  expect(codes(taken)).toEqual([
    'VERDICT_UNKNOWN',
    'RANKING_TWICE',
    'RANKING_UNKNOWN',
    'RANKING_INCOMPLETE',
    'FINDING_INVALID',
  ]);
  expect(taken.problems.at(0)?.message).toBe('"LGTM" is not a verdict. Give one of APPROVE, REVISE_BEST, REVISE_ALL.');
  expect(taken.ledger.positions).toMatchObject([{ reviewer: 'ann', verdict: null, ranking: ['impl_2'] }]);
  expect(taken.ledger.findings).toMatchObject([{ claim: 'one', priority: 3 }]);
});

test.each([
  ['nothing', null],
  ['a word', 'APPROVE'],
  ['a list', [reply('APPROVE')]],
  ['an empty object', {}],
  ['findings that are none', { findings: [null, 7, {}, { claim: '  ' }] }],
  ['findings that are no list', { findings: { claim: 'one' } }],
])('[RV1] %s is no review, and nothing is thrown', (_, given) => {
  const taken = takeReview(ledgerOf(), 'ann', given);
  expect(taken.problems.length).toBeGreaterThan(0);
  expect(taken.ledger.spoke).toEqual(['ann']);
  expect(taken.ledger.findings).toEqual([]);
});

test('[RV2] a finding on an unknown implementation is kept, with its name', () => {
  const taken = takeReview(
    ledgerOf(),
    'ann',
    reply('REVISE_ALL', { findings: [draft('one', { implementation: 'impl_9' })] }),
  );
  expect(codes(taken)).toEqual(['IMPLEMENTATION_UNKNOWN']);
  expect(taken.ledger.findings).toMatchObject([{ implementation: null, claim: 'impl_9: one' }]);
});

test('[RV2] a place is read in the ways in which it is written', () => {
  const files = ['impl_1/src/a.ts:12', './src/a.ts', '/src/a.ts'];
  const findings = files.map((file, index) => draft(`claim ${index}`, { file, line: null }));
  const { ledger } = takeReview(ledgerOf(), 'ann', reply('REVISE_BEST', { findings }));
  expect(ledger.findings.map(({ file, line }) => [file, line])).toEqual([
    ['src/a.ts', 12],
    ['src/a.ts', null],
    ['src/a.ts', null],
  ]);
});

test('[RV2] the folder of an implementation names it where nothing else does', () => {
  const findings = [{ ...draft('one', { file: 'impl_2/b.ts' }), implementation: null }];
  const taken = takeReview(ledgerOf(), 'ann', reply('REVISE_BEST', { findings }));
  expect(taken.problems).toEqual([]);
  expect(taken.ledger.findings).toMatchObject([{ implementation: 'impl_2', file: 'b.ts' }]);
});

test('[RV4] a stranger, one who is out and one whose review is in are not heard', () => {
  const ledger = said(ledgerOf(['ann', 'bob', 'cid']), ['ann', reply('APPROVE')]);
  const without = clean(dropReviewer(ledger, 'cid', 'it hangs'));
  for (const [reviewer, code] of [
    ['eve', 'REVIEWER_UNKNOWN'],
    ['cid', 'REVIEWER_OUT'],
    ['ann', 'SPOKEN_ALREADY'],
  ] as const) {
    const taken = takeReview(without, reviewer, reply('APPROVE', { findings: [draft('one')] }));
    expect(codes(taken)).toEqual([code]);
    expect(taken.ledger).toBe(without);
  }
});

test('[RV1] an implementation that failed need not be ranked, but may', () => {
  const ledger = clean(dropImplementation(ledgerOf(), 'impl_2', 'it timed out'));
  expect(takeReview(ledger, 'ann', reply('APPROVE', { ranking: ['impl_1'] })).problems).toEqual([]);
  const both = takeReview(ledger, 'ann', reply('APPROVE', { ranking: ['impl_2', 'impl_1'] }));
  expect(clean(both).positions[0]?.ranking).toEqual(['impl_1']);
});

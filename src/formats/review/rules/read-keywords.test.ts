import { expect, test } from 'vitest';
import { hasKeyword, readKeywords } from './read-keywords.ts';
import { takeReview } from './take-review.ts';
import { ledgerOf } from './testing/debates.ts';

const implementations = ['impl_1', 'impl_2'];

test.each([
  ['APPROVE: it is fine', 'APPROVE'],
  ['**Approve**: it is fine', 'APPROVE'],
  ['## REVISE: fix the checksum', 'REVISE_BEST'],
  ['REVISE_ALL: none passes', 'REVISE_ALL'],
  ['REVISE: REVISE_ALL of them', 'REVISE_ALL'],
  ['CONSENSUS: impl_2 is best, REVISE_BEST', 'REVISE_BEST'],
  ['CONSENSUS: we agree on everything', null],
  ['I would not APPROVE: it fails', null],
  ['> APPROVE: said the other\nREVISE: I do not', 'REVISE_BEST'],
  ['```\nAPPROVE: an example\n```\nREVISE: no', 'REVISE_BEST'],
  ['APPROVE: yes\nREVISE: no', null],
  ['It is fine.', null],
  ['', null],
])('[RV15] %j says %s', (text, verdict) => {
  expect(readKeywords(text).verdict).toBe(verdict);
});

test('[RV15] stances are read in both orders, with their reasons', () => {
  const text = [
    'F1: agree, it fails',
    '- **F2** disagree because it cannot happen',
    'I disagree with F3: no',
    'revise F4 - say less',
    'F5 is fine',
  ];
  expect(readKeywords(text.join('\n')).stances).toEqual([
    { finding: 'F1', stance: 'agree', reason: 'it fails', change: null },
    { finding: 'F2', stance: 'disagree', reason: 'it cannot happen', change: null },
    { finding: 'F3', stance: 'disagree', reason: 'no', change: null },
    { finding: 'F4', stance: 'revise', reason: 'say less', change: null },
  ]);
});

test('[RV15] a review in prose has a finding for each point of its lists', () => {
  const text = `My review:
- impl_2 src/a.ts:12 the checksum is wrong
  for long strings
- [critical] impl_1: lib/b.ts - it throws
* tests are missing
1. nit: impl_2/readme.md typo

RANKING: impl_2 > impl_1
REVISE: see above`;
  const read = readKeywords(text, { kind: 'review', implementations });
  expect(read).toMatchObject({ verdict: 'REVISE_BEST', ranking: ['impl_2', 'impl_1'] });
  expect(
    read.findings.map(({ implementation, severity, file, line, claim }) => [
      implementation,
      severity,
      file,
      line,
      claim,
    ]),
  ).toEqual([
    ['impl_2', 'minor', 'src/a.ts', 12, 'the checksum is wrong for long strings'],
    ['impl_1', 'critical', 'lib/b.ts', null, 'it throws'],
    [null, 'minor', null, null, 'tests are missing'],
    ['impl_2', 'nit', 'readme.md', null, 'typo'],
  ]);
});

test('[RV15] a review in prose without a list that asks for changes is one finding without a place', () => {
  const read = readKeywords('REVISE: the checksum is wrong', { kind: 'review', implementations });
  expect(read.findings).toMatchObject([{ implementation: null, file: null, claim: 'the checksum is wrong' }]);
  expect(readKeywords('APPROVE: all is well', { kind: 'review', implementations }).findings).toEqual([]);
});

test('[RV15] in the debate a point that names nothing is talk, not a finding', () => {
  const text = '- I like it\n- impl_1 a.ts:3 it leaks\n- F1: agree';
  expect(readKeywords(text, { kind: 'position', implementations }).findings).toMatchObject([
    { implementation: 'impl_1', file: 'a.ts', line: 3, claim: 'it leaks' },
  ]);
});

test.each([
  ['Looks good to me.', false],
  ['```json\n{"verdict": "APPROVE"}\n```', false],
  ['> APPROVE: said the other', false],
  ['I looked.\n- **REVISE**: the checksum', true],
])('[A4] %j counts as a reply in keywords: %s', (text, isReply) => {
  expect(hasKeyword(text)).toBe(isReply);
});

test('[RV15] prose can be taken, and its missing parts are reported', () => {
  const read = readKeywords('REVISE: the checksum is wrong', { kind: 'review', implementations });
  const taken = takeReview(ledgerOf(), 'ann', read);
  expect(taken.ledger.findings).toMatchObject([{ claim: 'the checksum is wrong', isVerified: false }]);
  expect(taken.problems.map(({ code }) => code)).toEqual(['RANKING_INCOMPLETE', 'IMPLEMENTATION_UNKNOWN']);
});

import { expect, test } from 'vitest';
import { dropReviewer } from './drop-reviewer.ts';
import { findingsFor } from './findings-for.ts';
import { matrix } from './matrix.ts';
import { summary } from './summary.ts';
import { addEngineFinding, closeByEvidence, markVerified } from './take-evidence.ts';
import { clean, draft, ledgerOf, oneFinding, reply, said, stance } from './testing/debates.ts';

const disputed = () =>
  said(
    oneFinding(),
    ['ann', reply('REVISE_BEST')],
    ['bob', reply('APPROVE', { stances: [stance('F1', 'disagree', 'not so')] })],
  );

test('[RV11] the matrix has a cell for every finding and reviewer, also for those that are out', () => {
  const ledger = clean(dropReviewer(disputed(), 'bob', 'it hangs'));
  expect(matrix(ledger)).toMatchObject({
    rows: [
      {
        finding: { id: 'F1' },
        state: 'open',
        cells: [
          { reviewer: 'ann', isAuthor: true, stance: 'agree', said: [] },
          { reviewer: 'bob', isAuthor: false, stance: 'disagree', said: [{ round: 1, reason: 'not so' }] },
        ],
      },
    ],
    verdicts: [
      { reviewer: 'ann', isOut: false, said: [{ verdict: 'REVISE_BEST' }, { verdict: 'REVISE_BEST' }] },
      { reviewer: 'bob', isOut: true, said: [{ verdict: 'APPROVE' }, { verdict: 'APPROVE' }] },
    ],
  });
});

test('[RV11] the summary has the figures', () => {
  const ledger = clean(closeByEvidence(disputed(), 'F1', { stands: false, reason: 'It passes.' }));
  expect(summary(ledger)).toMatchObject({
    kind: 'open',
    debates: 1,
    rounds: 1,
    findings: { found: 1, refuted: 1, open: 0, standing: 0, unverified: 1 },
    reviewers: [
      { reviewer: 'ann', verdict: 'REVISE_BEST', found: 1, out: null },
      { reviewer: 'bob', verdict: 'APPROVE', found: 0, out: null },
    ],
  });
});

test('[RV11] who approves everything and names no place is hollow when others found what is there', () => {
  const hollow = (ledger: ReturnType<typeof oneFinding>) =>
    summary(ledger)
      .reviewers.filter(({ isHollow }) => isHollow)
      .map(({ reviewer }) => reviewer);
  expect(hollow(oneFinding())).toEqual([]);
  expect(hollow(markVerified(oneFinding(), { F1: true }))).toEqual(['bob']);
  const plain = said(ledgerOf(), ['ann', reply('APPROVE')], ['bob', reply('APPROVE')]);
  expect(hollow(addEngineFinding(plain, draft('it changed a test'), 'seen').ledger)).toEqual([]);
});

test('[RV13] an implementer gets the standing and the unsettled findings, most urgent first', () => {
  const findings = [
    draft('later', { priority: 3 }),
    draft('first', { priority: 1 }),
    draft('worse', { priority: 3, severity: 'critical' }),
    draft('of the other', { implementation: 'impl_2' }),
  ];
  const ledger = said(
    ledgerOf(),
    ['ann', reply('REVISE_BEST', { findings })],
    ['bob', reply('APPROVE')],
    ['ann', reply('REVISE_BEST')],
    [
      'bob',
      reply('APPROVE', {
        stances: ['F1', 'F2', 'F3', 'F4'].map((id) => stance(id, id === 'F1' ? 'disagree' : 'agree', 'not so')),
      }),
    ],
  );
  const sent = findingsFor(ledger, 'impl_1');
  expect(sent.findings.map(({ claim }) => claim)).toEqual(['first', 'worse', 'later']);
  expect(sent.text).toContain('  later\n  Change: fix later\n  The reviewers do not agree. bob: disagree. not so');
  expect(findingsFor(ledger, 'impl_2').findings.map(({ id }) => id)).toEqual(['F4']);
  expect(findingsFor(ledgerOf(), 'impl_1')).toEqual({ findings: [], text: '' });
});

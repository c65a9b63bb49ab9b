import { expect, test } from 'vitest';
import { dropReviewer } from './drop-reviewer.ts';
import { takePosition } from './take-position.ts';
import { clean, draft, ledgerOf, oneFinding, reply, said, stance } from './testing/debates.ts';

const AGREE = reply('REVISE_BEST', { stances: [stance('F1', 'agree')] });
const DISAGREE = reply('APPROVE', { stances: [stance('F1', 'disagree', 'not so')] });
const SILENT = reply('APPROVE');

/** Ann has found one thing; bob and cid none. */
const three = () =>
  said(
    ledgerOf(['ann', 'bob', 'cid']),
    ['ann', reply('REVISE_BEST', { findings: [draft('it overflows')] })],
    ['bob', reply('APPROVE')],
    ['cid', reply('APPROVE')],
  );

test('[RV5] a finding stands when all say so, not before', () => {
  const two = said(three(), ['ann', SILENT], ['bob', AGREE]);
  expect(two.findings[0]?.closed).toBe(null);
  expect(said(two, ['cid', AGREE]).findings[0]?.closed).toEqual({
    how: 'agreed',
    stands: true,
    debate: 1,
    round: 1,
    reason: 'ann, bob, cid agree that it stands.',
  });
});

test('[RV5] others cannot close what its author holds', () => {
  const ledger = said(
    three(),
    ['ann', SILENT],
    ['bob', DISAGREE],
    ['cid', DISAGREE],
    ['ann', AGREE],
    ['bob', DISAGREE],
  );
  expect(ledger.findings[0]?.closed).toBe(null);
});

test('[RV5] a withdrawal closes it when every other had a turn and none objected', () => {
  const withdrawn = said(three(), ['ann', DISAGREE]);
  expect(withdrawn.findings[0]?.closed).toBe(null);
  const waiting = said(withdrawn, ['bob', SILENT]);
  expect(waiting.findings[0]?.closed).toBe(null);
  expect(said(waiting, ['cid', SILENT]).findings[0]?.closed).toMatchObject({
    how: 'withdrawn',
    stands: false,
    reason: 'ann took it back, and no other reviewer holds it: not so',
  });
});

test('[RV5] a withdrawal closes it at once when the other had said no before', () => {
  const ledger = said(oneFinding(), ['ann', SILENT], ['bob', DISAGREE], ['ann', DISAGREE]);
  expect(ledger.findings[0]?.closed?.how).toBe('withdrawn');
});

test('[RV5] an objection keeps it open, also when the author says it again and the other is silent', () => {
  const objected = said(oneFinding(), ['ann', DISAGREE], ['bob', AGREE]);
  const again = said(objected, ['ann', DISAGREE], ['bob', SILENT]);
  expect(again.findings[0]?.closed).toBe(null);
});

test('[RV5] when the author is out, all others together may let go, and one alone may not', () => {
  const without = clean(dropReviewer(three(), 'ann', 'it hangs'));
  const one = said(without, ['bob', DISAGREE]);
  expect(one.findings[0]?.closed).toBe(null);
  expect(said(one, ['cid', DISAGREE]).findings[0]?.closed).toMatchObject({
    how: 'withdrawn',
    reason: 'Its author ann is out, and no other reviewer holds it.',
  });
  const alone = clean(dropReviewer(one, 'cid', 'it crashed'));
  expect(alone.findings[0]?.closed).toBe(null);
});

test('[RV6] agreement to other words is none', () => {
  const reworded = { ...stance('F1', 'revise'), change: { claim: 'it may overflow' } };
  const ledger = said(three(), ['ann', SILENT], ['bob', AGREE]);
  const { ledger: later } = takePosition(ledger, 'cid', reply('APPROVE', { stances: [reworded] }));
  expect(later.findings[0]?.closed).toBe(null);
  expect(said(later, ['ann', AGREE], ['bob', AGREE]).findings[0]?.closed?.how).toBe('agreed');
});

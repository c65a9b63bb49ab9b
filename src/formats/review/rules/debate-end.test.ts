import { expect, test } from 'vitest';
import { convergence } from './debate-end.ts';
import { dropReviewer } from './drop-reviewer.ts';
import { nextSpeaker } from './next-speaker.ts';
import { takePosition } from './take-position.ts';
import { clean, draft, ledgerOf, oneFinding, reply, said, stance } from './testing/debates.ts';

test('[RV9] equal verdicts and nothing open are a consensus, already on the first reviews', () => {
  const ledger = said(ledgerOf(), ['ann', reply('APPROVE')], ['bob', reply('APPROVE')]);
  expect(convergence(ledger)).toEqual({ kind: 'consensus', verdict: 'APPROVE', dissent: [] });
  expect(ledger.outcome).toEqual(convergence(ledger));
  expect(nextSpeaker(ledger)).toBe(null);
});

test('[RV9] the word of one side is no consensus, whatever the word', () => {
  const ledger = said(oneFinding(), ['ann', reply('APPROVE', { stances: [stance('F1', 'agree')] })]);
  expect(convergence(ledger).kind).toBe('open');
});

test('[RV9] equal verdicts with a finding open are none', () => {
  const ledger = said(
    oneFinding(),
    ['ann', reply('REVISE_BEST')],
    ['bob', reply('REVISE_BEST', { stances: [stance('F1', 'disagree')] })],
  );
  expect(convergence(ledger).kind).toBe('open');
  const agreed = said(
    ledger,
    ['ann', reply('REVISE_BEST')],
    ['bob', reply('REVISE_BEST', { stances: [stance('F1', 'agree')] })],
  );
  expect(convergence(agreed)).toMatchObject({ kind: 'consensus', verdict: 'REVISE_BEST' });
});

test('[RV10] a round in which nothing moved is a stalemate, with everybody’s dissent kept', () => {
  const round = [
    ['ann', reply('REVISE_BEST')],
    ['bob', reply('APPROVE', { stances: [stance('F1', 'disagree', 'it cannot happen')] })],
  ] as const;
  const first = said(oneFinding(), ...round);
  expect(convergence(first).kind).toBe('open');
  expect(convergence(said(first, ...round))).toEqual({
    kind: 'stalemate',
    verdict: null,
    dissent: [
      { kind: 'verdict', reviewer: 'ann', verdict: 'REVISE_BEST' },
      { kind: 'verdict', reviewer: 'bob', verdict: 'APPROVE' },
      { kind: 'finding', reviewer: 'bob', finding: 'F1', stance: 'disagree', reason: 'it cannot happen' },
    ],
  });
});

test('[RV8] a reviewer that never agrees, with something new in every round, ends at the last round', () => {
  let ledger = oneFinding();
  let turns = 0;
  for (let speaker = nextSpeaker(ledger); speaker !== null; speaker = nextSpeaker(ledger)) {
    turns += 1;
    ledger = takePosition(ledger, speaker, reply('REVISE_ALL', { findings: [draft(`more ${turns}`)] })).ledger;
  }
  expect(turns).toBe(6);
  expect([ledger.outcome?.kind, ledger.round]).toEqual(['last-round', 3]);
  expect(takePosition(ledger, 'ann', reply('APPROVE')).problems).toMatchObject([{ code: 'DEBATE_OVER' }]);
});

test('[RV4] turns go round in the same order, past reviewers that are out', () => {
  let ledger = said(
    ledgerOf(['ann', 'bob', 'cid']),
    ['ann', reply('APPROVE')],
    ['bob', reply('REVISE_BEST')],
    ['cid', reply('APPROVE')],
  );
  const order: (string | null)[] = [];
  for (let turn = 0; turn < 4; turn += 1) {
    const speaker = nextSpeaker(ledger);
    order.push(speaker);
    const verdict = turn % 2 === 0 ? 'REVISE_ALL' : 'REVISE_BEST';
    ledger = takePosition(ledger, speaker ?? '', reply(verdict)).ledger;
    if (turn === 0) ledger = clean(dropReviewer(ledger, 'bob', 'it hangs'));
  }
  expect(order).toEqual(['ann', 'cid', 'ann', 'cid']);
});

test('[RV9] one reviewer that is left is single and no consensus; none is nobody', () => {
  const alone = clean(dropReviewer(oneFinding(), 'ann', 'it hangs'));
  expect(convergence(alone)).toMatchObject({ kind: 'single', verdict: 'APPROVE' });
  expect(alone.findings[0]?.closed).toBe(null);
  expect(clean(dropReviewer(alone, 'bob', 'it crashed')).outcome?.kind).toBe('nobody');
  expect(clean(dropReviewer(ledgerOf(), 'ann', 'it hangs')).outcome).toBe(null);
});

test('[RV9] those who prefer a different one are listed', () => {
  const ledger = said(
    ledgerOf(['ann', 'bob', 'cid']),
    ['ann', reply('APPROVE')],
    ['bob', reply('APPROVE')],
    ['cid', reply('APPROVE', { ranking: ['impl_2', 'impl_1'] })],
  );
  expect(ledger.outcome).toEqual({
    kind: 'consensus',
    verdict: 'APPROVE',
    dissent: [{ kind: 'ranking', reviewer: 'cid', ranking: ['impl_2', 'impl_1'] }],
  });
});

test('[RV4] a stranger cannot be dropped, and no reviewer twice', () => {
  expect(dropReviewer(ledgerOf(), 'eve', 'x').problems).toMatchObject([{ code: 'REVIEWER_UNKNOWN' }]);
  const once = clean(dropReviewer(ledgerOf(), 'ann', 'x'));
  expect(dropReviewer(once, 'ann', 'y').ledger).toBe(once);
});

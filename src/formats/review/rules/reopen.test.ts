import { expect, test } from 'vitest';
import { dropImplementation } from './drop-reviewer.ts';
import { openFindings, stateOf } from './open-findings.ts';
import { positionText } from './position-text.ts';
import { reopen } from './reopen.ts';
import { addEngineFinding } from './take-evidence.ts';
import { takePosition } from './take-position.ts';
import { takeReview } from './take-review.ts';
import { clean, draft, ledgerOf, reply, said, stance } from './testing/debates.ts';
import { reviewerSight } from './reviewer-reading.ts';

/** F1 of impl_1 and F2 of impl_2 stand, F3 was withdrawn; all want the best revised. */
const debated = () =>
  said(
    ledgerOf(),
    [
      'ann',
      reply('REVISE_BEST', {
        findings: [draft('one'), draft('two', { implementation: 'impl_2' }), draft('three')],
      }),
    ],
    ['bob', reply('REVISE_BEST')],
    ['ann', reply('REVISE_BEST', { stances: [stance('F3', 'disagree')] })],
    ['bob', reply('REVISE_BEST', { stances: [stance('F1', 'agree'), stance('F2', 'agree')] })],
  );

const again = (touched = true) =>
  clean(reopen(debated(), { maxRounds: 2, touched: { F1: touched }, chosen: ['impl_1'] }));

test('[RV13] rounds start again, and standing findings are judged again by all', () => {
  expect(debated().outcome?.kind).toBe('consensus');
  const ledger = again();
  expect([ledger.debate, ledger.round, ledger.maxRounds, ledger.spoke, ledger.outcome]).toEqual([2, 1, 2, [], null]);
  expect(openFindings(ledger).map(({ id }) => id)).toEqual(['F1']);
  expect(ledger.findings.map((finding) => stateOf(ledger, finding))).toEqual(['open', 'resting', 'withdrawn']);
  expect(reviewerSight(ledger, 'ann').open).toMatchObject([{ isAwaited: true }]);
});

test('[RV13] [A7] a finding that its author calls fixed and no other holds is fixed; disagreeing withdraws it', () => {
  const done = [stance('F1', 'fixed', 'it is gone')];
  const ledger = said(
    again(),
    ['ann', reply('APPROVE', { ranking: ['impl_1'], stances: done })],
    ['bob', reply('APPROVE', { ranking: ['impl_1'], stances: done })],
  );
  expect(ledger.findings[0]?.closed).toMatchObject({ how: 'fixed', stands: false, debate: 2 });
  expect(ledger.outcome).toMatchObject({ kind: 'consensus', verdict: 'APPROVE' });
  const never = [stance('F1', 'disagree', 'it was never right')];
  const withdrawn = said(
    again(),
    ['ann', reply('APPROVE', { stances: never })],
    ['bob', reply('APPROVE', { stances: never })],
  );
  expect(withdrawn.findings[0]?.closed).toMatchObject({ how: 'withdrawn', stands: false });
});

test('[RV13] one that the revision did not touch is called out, and can only be withdrawn', () => {
  const ledger = again(false);
  expect(positionText(reviewerSight(ledger, 'bob'))).toContain('the revision did not change what it names');
  const done = [stance('F1', 'fixed', 'it is gone')];
  const let_go = said(
    ledger,
    ['ann', reply('APPROVE', { ranking: ['impl_1'], stances: done })],
    ['bob', reply('APPROVE', { ranking: ['impl_1'], stances: done })],
  );
  expect(let_go.findings[0]?.closed?.how).toBe('withdrawn');
});

test('[RV16] a final review of one implementation has two verdicts, the change that was asked for, and what a withdrawal means', () => {
  const text = positionText(reviewerSight(again(), 'bob'));
  expect(text).toContain('APPROVE (merge it as it is) or REVISE_BEST (it needs changes)');
  expect(text).not.toContain('REVISE_ALL');
  expect(text).toContain('  Change: fix one\n');
  expect(text).toContain('on your own finding, you withdraw it');
});

test('[RV16] a finding that its author withdrew says that no stance on it is needed', () => {
  const ledger = said(again(), ['ann', reply('APPROVE', { ranking: ['impl_1'], stances: [stance('F1', 'disagree')] })]);
  const text = positionText(reviewerSight(ledger, 'bob'));
  expect(text).toContain('  ann withdrew it: give a stance only if it stands in your eyes.');
  expect(text).not.toContain('→ Give your stance.');
});

test('[RV13] one that all still see stands again, and the verdict of the first debate does not count', () => {
  const agree = { ranking: ['impl_1'], stances: [stance('F1', 'agree')] };
  const half = said(again(), ['ann', reply('REVISE_BEST', agree)]);
  expect(half.outcome).toBe(null);
  const ledger = said(half, ['bob', reply('REVISE_BEST', agree)]);
  expect(ledger.findings[0]?.closed).toMatchObject({ how: 'agreed', debate: 2 });
  expect(ledger.outcome).toMatchObject({ kind: 'consensus', verdict: 'REVISE_BEST' });
});

test('[RV13] what rests cannot be judged and need not be ranked', () => {
  const given = reply('APPROVE', {
    ranking: ['impl_1', 'impl_2'],
    stances: [stance('F1', 'agree'), stance('F2', 'disagree')],
    findings: [draft('four', { implementation: 'impl_2' })],
  });
  const taken = takePosition(again(), 'ann', given);
  expect(taken.problems.map(({ code }) => code)).toEqual(['IMPLEMENTATION_RESTS']);
  expect(taken.ledger.stances.filter(({ debate, finding }) => debate === 2 && finding === 'F2')).toEqual([]);
  expect(taken.ledger.findings.at(-1)).toMatchObject({ id: 'F4', implementation: 'impl_2' });
  expect(takeReview(again(), 'ann', reply('APPROVE')).problems).toMatchObject([{ code: 'REVIEWS_OVER' }]);
});

test('[RV13] what rested is judged again when its implementation is chosen', () => {
  const both = clean(reopen(again(), { maxRounds: 2, touched: {}, chosen: ['impl_1', 'impl_2'] }));
  expect(openFindings(both).map(({ id }) => id)).toEqual(['F1', 'F2']);
});

test('[RV13] the engine’s own findings stay as evidence left them', () => {
  const ledger = addEngineFinding(debated(), draft('it changed a test'), 'seen').ledger;
  const later = clean(reopen(ledger, { maxRounds: 2, touched: {}, chosen: ['impl_1'] }));
  expect(later.findings.at(-1)).toMatchObject({ by: 'engine', closed: { stands: true } });
});

test('[RV13] an unknown choice changes nothing about who is judged', () => {
  const taken = reopen(debated(), { maxRounds: 2, touched: {}, chosen: ['impl_9'] });
  expect(taken.problems).toMatchObject([{ code: 'IMPLEMENTATION_UNKNOWN' }]);
  expect(taken.ledger.resting).toEqual([]);
  const lost = clean(dropImplementation(debated(), 'impl_2', 'it is gone'));
  expect(clean(reopen(lost, { maxRounds: 2, touched: {}, chosen: ['impl_2'] })).resting).toEqual([]);
  expect(dropImplementation(lost, 'impl_9', 'x').problems).toMatchObject([{ code: 'IMPLEMENTATION_UNKNOWN' }]);
});

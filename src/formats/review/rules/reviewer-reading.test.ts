import { expect, test } from 'vitest';
import { dropReviewer } from './drop-reviewer.ts';
import { positionText } from './position-text.ts';
import { takeTest } from './take-evidence.ts';
import { takePosition } from './take-position.ts';
import { clean, draft, ledgerOf, oneFinding, reply, said, stance } from './testing/debates.ts';
import { reviewerSight } from './reviewer-reading.ts';

test('[RV3] nothing of a first review is seen before all are in', () => {
  const ledger = said(ledgerOf(), ['ann', reply('REVISE_ALL', { findings: [draft('secret')], summary: 'secret' })]);
  for (const reviewer of ['ann', 'bob']) {
    const view = reviewerSight(ledger, reviewer);
    expect([view.isBlind, view.open, view.settled, view.verdicts]).toEqual([true, [], [], []]);
    expect(positionText(view)).not.toContain('secret');
    expect(positionText(view)).toContain('hand_in_review');
  }
});

test('[RV3] the verdicts of a round are seen when all have spoken, stances at once', () => {
  const first = oneFinding();
  expect(reviewerSight(first, 'bob').verdicts.map(({ verdict }) => verdict)).toEqual(['REVISE_BEST']);
  const half = said(first, ['ann', reply('REVISE_ALL', { stances: [stance('F1', 'agree', 'I am sure')] })]);
  const view = reviewerSight(half, 'bob');
  expect(view.verdicts.map(({ verdict, round }) => [verdict, round])).toEqual([['REVISE_BEST', 0]]);
  expect(positionText(view)).not.toContain('ann, round 1: REVISE_ALL');
  expect(view.open[0]?.stances).toMatchObject([{ reviewer: 'ann', stance: 'agree' }]);
  const over = said(half, ['bob', reply('APPROVE', { stances: [stance('F1', 'disagree')] })]);
  expect(reviewerSight(over, 'ann')).toMatchObject({
    round: 2,
    verdicts: [{ reviewer: 'bob', verdict: 'APPROVE' }],
  });
});

test('[RV3] a reviewer that is out blocks no other', () => {
  const half = said(oneFinding(), ['ann', reply('REVISE_ALL')]);
  expect(reviewerSight(clean(dropReviewer(half, 'bob', 'it hangs')), 'ann')).toMatchObject({ others: [], round: 2 });
});

test('[RV16] a reviewer sees the open findings, their stances, and its task', () => {
  const half = said(
    said(
      ledgerOf(),
      [
        'ann',
        reply('REVISE_BEST', { findings: [draft('it overflows'), draft('it leaks', { file: null, line: null })] }),
      ],
      ['bob', reply('APPROVE', { summary: 'Fine by me.' })],
    ),
    [
      'ann',
      reply('REVISE_BEST', {
        stances: [{ ...stance('F1', 'revise', 'more exact'), change: { claim: 'it overflows at 2^31' } }],
      }),
    ],
  );
  const ran = { finding: 'F1', command: 'node t.js', expect: 'fail' } as const;
  const ledger = clean(takeTest(half, 'ann', { test: ran, exitCode: 1, output: 'boom\n' }));
  expect(positionText(reviewerSight(ledger, 'bob')))
    .toBe(`You are bob. This is round 1 of at most 3 of the debate. The other reviewers: ann.

## Open findings
F1 [major, priority 2] impl_1 src/a.ts:3 (no such place)
  it overflows at 2^31
  Change: fix it overflows
  Found by ann.
  ann worded it as [major] it overflows
  ann, round 1: revise: more exact
  The engine ran \`node t.js\` for ann (it should fail if the finding is right): exit code 1.
    boom
  → Give your stance.
F2 [major, priority 2] impl_1 no place named
  it leaks
  Change: fix it leaks
  Found by ann.
  → Give your stance.

## Verdicts of the other reviewers, of rounds that are over
ann, first review: REVISE_BEST; impl_1 > impl_2

## Your order
Hand in your position with \`hand_in_position\`, once, as your last action. Verdicts of this round are shown when all reviewers have spoken.
- On F1 (implementation impl_1, src/a.ts:3), F2 (implementation impl_1), and where you changed your mind: one stance each with a reason that others can check: \`agree\` (it stands), \`disagree\` (it does not stand; on your own finding, you withdraw it), \`revise\` (it stands in other words; give them in \`change\`).
- New findings, if there are any, with implementation, file and line.
- A ranking of impl_1, impl_2, best first, and a verdict: APPROVE (merge the best one as it is), REVISE_BEST (the best one needs changes) or REVISE_ALL (all need changes).
- A command that decides a finding, if there is one: the engine runs it. It decides if it goes against its proposer, or if another reviewer proposes the same.`);
});

test('[A7] what a reviewer was shown once is not shown to it again', () => {
  const round1 = said(
    said(
      ledgerOf(),
      ['ann', reply('REVISE_BEST', { findings: [draft('it overflows')] })],
      ['bob', reply('APPROVE', { summary: 'Fine by me.' })],
    ),
    ['ann', reply('REVISE_BEST', { stances: [stance('F1', 'agree', 'I ran it')] })],
  );
  expect(positionText(reviewerSight(round1, 'bob'))).toContain('I ran it');
  const round2 = said(
    round1,
    ['bob', reply('APPROVE', { stances: [stance('F1', 'disagree', 'it is guarded')] })],
    ['ann', reply('REVISE_BEST', { stances: [stance('F1', 'agree', 'not for 2^31')] })],
  );
  const again = positionText(reviewerSight(round2, 'bob'));
  expect(again).toContain('it overflows');
  expect(again).toContain('ann, round 2: agree: not for 2^31');
  for (const old of ['I ran it', 'it is guarded', 'Change: fix it overflows', 'Fine by me.'])
    expect(again).not.toContain(old);
});

test('[A7] where no finding is open no stance is asked for: one on a settled finding would be refused', () => {
  const ledger = said(
    oneFinding(),
    ['ann', reply('REVISE_BEST')],
    ['bob', reply('APPROVE', { stances: [stance('F1', 'agree')] })],
  );
  const text = positionText(reviewerSight(ledger, 'ann'));
  expect(text).toContain('- No finding is open: `stances` is [].');
  expect(text).not.toContain('changed your mind');
});

test('[A7] every mention of a finding says which implementation and place it is about', () => {
  const ledger = said(
    oneFinding(),
    ['ann', reply('REVISE_BEST')],
    ['bob', reply('REVISE_BEST', { stances: [stance('F1', 'agree')] })],
  );
  expect(positionText(reviewerSight(ledger, 'bob'))).toContain('F1 (implementation impl_1, src/a.ts:3) stands');
});

test('[A7] nothing can be called fixed before a revision', () => {
  const { problems } = takePosition(
    oneFinding(),
    'bob',
    reply('APPROVE', { stances: [stance('F1', 'fixed', 'gone')] }),
  );
  expect(problems[0]?.message).toContain('F1 (implementation impl_1, src/a.ts:3) cannot be fixed yet');
});

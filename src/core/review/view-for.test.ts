import { expect, test } from 'vitest';
import { dropReviewer } from './drop-reviewer.ts';
import { positionText } from './position-text.ts';
import { takeTest } from './take-evidence.ts';
import { clean, draft, ledgerOf, oneFinding, reply, said, stance } from './testing/debates.ts';
import { viewFor } from './view-for.ts';

test('[RV3] nothing of a first review is seen before all are in', () => {
  const ledger = said(ledgerOf(), ['ann', reply('REVISE_ALL', { findings: [draft('secret')], summary: 'secret' })]);
  for (const reviewer of ['ann', 'bob']) {
    const view = viewFor(ledger, reviewer);
    expect([view.isBlind, view.open, view.settled, view.verdicts]).toEqual([true, [], [], []]);
    expect(positionText(view)).not.toContain('secret');
    expect(positionText(view)).toContain('hand_in_review');
  }
});

test('[RV3] the verdicts of a round are seen when all have spoken, stances at once', () => {
  const first = oneFinding();
  expect(viewFor(first, 'bob').verdicts.map(({ verdict }) => verdict)).toEqual(['REVISE_BEST', 'APPROVE']);
  const half = said(first, ['ann', reply('REVISE_ALL', { stances: [stance('F1', 'agree', 'I am sure')] })]);
  const view = viewFor(half, 'bob');
  expect(view.verdicts.map(({ verdict, round }) => [verdict, round])).toEqual([
    ['REVISE_BEST', 0],
    ['APPROVE', 0],
  ]);
  expect(positionText(view)).not.toContain('ann, round 1: REVISE_ALL');
  expect(view.open[0]?.stances).toMatchObject([{ reviewer: 'ann', stance: 'agree' }]);
  const over = said(half, ['bob', reply('APPROVE', { stances: [stance('F1', 'disagree')] })]);
  expect(viewFor(over, 'ann')).toMatchObject({
    round: 2,
    verdicts: [{ verdict: 'REVISE_ALL' }, { verdict: 'APPROVE' }],
  });
});

test('[RV3] a reviewer that is out holds nobody up', () => {
  const half = said(oneFinding(), ['ann', reply('REVISE_ALL')]);
  expect(viewFor(clean(dropReviewer(half, 'bob', 'it hangs')), 'ann')).toMatchObject({ others: [], round: 2 });
});

test('[RV16] a reviewer is told what is open, what was said of it, and what is asked', () => {
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
  expect(positionText(viewFor(ledger, 'bob')))
    .toBe(`You are bob. This is round 1 of at most 3 of the debate. With you: ann.

## Open findings
F1 [major, priority 2] impl_1 src/a.ts:3 (not found there)
  it overflows at 2^31
  Change: mend it overflows
  Found by ann.
  ann had it as [major] it overflows
  ann, round 1: revise: more exact
  ann had the engine run \`node t.js\` (to fail if the finding is right): it ended with 1.
    boom
  → Say where you stand.
F2 [major, priority 2] impl_1 no place named
  it leaks
  Change: mend it leaks
  Found by ann.
  → Say where you stand.

## What was said about the whole, in rounds that are over
ann, first review: REVISE_BEST; impl_1 > impl_2
bob, first review: APPROVE; impl_1 > impl_2: Fine by me.

## What is asked of you
Hand in your position with hand_in_position. The verdicts of this round are shown when all have spoken.
- On F1, F2, and where your mind changed: agree (it stands), disagree (it does not stand; on a finding of your own, you withdraw it), or revise (it stands in other words: say which), with the reason.
- New findings, if there are any, with file and line.
- A ranking of impl_1, impl_2, best first, and a verdict: APPROVE, REVISE_BEST, REVISE_ALL.
- A command that settles a finding, if there is one: the engine runs it. It is decisive when it goes against whoever proposed it, or when another proposes the same.`);
});

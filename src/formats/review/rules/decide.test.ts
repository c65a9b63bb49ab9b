import { expect, test } from 'vitest';
import { decideReview } from './decide.ts';
import { dropImplementation, dropReviewer } from './drop-reviewer.ts';
import { newLedger } from './ledger.ts';
import { reopen } from './reopen.ts';
import { addEngineFinding } from './take-evidence.ts';
import { takeReview } from './take-review.ts';
import { withFlaws } from './taken.ts';
import { clean, draft, ledgerOf, oneFinding, reply, said, stance } from './testing/debates.ts';

const NONE = { pick: 'ranking', evidence: {} } as const;

const agreed = (verdict: 'APPROVE' | 'REVISE_BEST' | 'REVISE_ALL', second = ['impl_1', 'impl_2']) =>
  said(ledgerOf(), ['ann', reply(verdict)], ['bob', reply(verdict, { ranking: second })]);

const split = () =>
  said(
    oneFinding(),
    ['ann', reply('REVISE_BEST')],
    ['bob', reply('APPROVE', { stances: [stance('F1', 'disagree', 'not so')] })],
    ['ann', reply('REVISE_BEST')],
    ['bob', reply('APPROVE')],
  );

test('[RV14] where no ranking prefers one, the reason names no ranking', () => {
  const { best, reason } = decideReview(agreed('APPROVE', ['impl_2', 'impl_1']), NONE);
  expect(best).toBe('impl_1');
  expect(reason).toContain(
    'The rankings of the reviewers prefer none, so impl_1 is taken by its tests, then by the order of the list: impl_1 (1 point), impl_2 (1 point).',
  );
});

test('[PD3] a reply that stayed faulty is named in the reason, also where all agree', () => {
  const { ledger } = takeReview(agreed('APPROVE'), 'ann', reply('APPROVE'));
  const flawed = withFlaws(ledger, 'bob', ['The ranking leaves out impl_1, impl_2.']);
  expect(decideReview(flawed, NONE).reason).toContain(
    'The first review of bob counts without the part that is wrong: The ranking leaves out impl_1, impl_2.',
  );
});

test('[RV14] a consensus decides, with the numbers in the reason', () => {
  expect(decideReview(agreed('APPROVE'), NONE)).toEqual({
    decision: 'APPROVE',
    best: 'impl_1',
    chosen: ['impl_1'],
    reason:
      'Consensus of 2 reviewers on their first reviews: APPROVE. impl_1 is the best by ranking: impl_1 (2 points), impl_2 (0 points). 0 findings are left against impl_1.',
    isSynthesis: false,
    dissent: [],
    parts: [],
    needs: null,
    question: '',
    choices: [],
    say: '',
  });
});

test('[RV14] points of all rankings are counted; ties go by tests, then by order', () => {
  const tie = agreed('REVISE_BEST', ['impl_2', 'impl_1']);
  expect(decideReview(tie, NONE).best).toBe('impl_1');
  const evidence = { impl_1: { isGreen: true, passed: 3 }, impl_2: { isGreen: true, passed: 9 } };
  expect(decideReview(tie, { pick: 'ranking', evidence }).best).toBe('impl_2');
  const three = said(
    newLedger(['ann', 'bob'], ['impl_1', 'impl_2', 'impl_3'], 3),
    ['ann', reply('APPROVE', { ranking: ['impl_3', 'impl_2', 'impl_1'] })],
    ['bob', reply('APPROVE', { ranking: ['impl_2', 'impl_3', 'impl_1'] })],
  );
  expect(decideReview(three, NONE).reason).toContain('impl_2 (3 points), impl_3 (3 points), impl_1 (0 points)');
});

test('[RV14] by tests green comes before red, then more that passed, then the ranking', () => {
  const by = (one: object, two: object) =>
    decideReview(agreed('REVISE_BEST'), { pick: 'tests', evidence: { impl_1: one, impl_2: two } as never }).best;
  expect(by({ isGreen: false, passed: 90 }, { isGreen: true, passed: 1 })).toBe('impl_2');
  expect(by({ isGreen: true, passed: 1 }, { isGreen: true, passed: 2 })).toBe('impl_2');
  expect(by({ isGreen: true, passed: null }, { isGreen: true })).toBe('impl_1');
});

test('[RV14] all that are judged are revised by REVISE_ALL', () => {
  const lost = clean(dropImplementation(ledgerOf(), 'impl_2', 'it failed'));
  const one = { ranking: ['impl_1'] };
  const ledger = said(lost, ['ann', reply('REVISE_ALL', one)], ['bob', reply('REVISE_ALL', one)]);
  expect(decideReview(ledger, NONE)).toMatchObject({ chosen: ['impl_1'], best: 'impl_1' });
  expect(decideReview(agreed('REVISE_ALL'), NONE).chosen).toEqual(['impl_1', 'impl_2']);
});

test('[RV14] red tests and findings of the engine outweigh an approval', () => {
  const red = decideReview(agreed('APPROVE'), { pick: 'ranking', evidence: { impl_1: { isGreen: false } } });
  expect(red).toMatchObject({ decision: 'REVISE_BEST', chosen: ['impl_1'] });
  expect(red.reason).toContain('impl_1 has to be revised all the same: its tests are red.');
  const tampered = addEngineFinding(agreed('APPROVE'), draft('it changed a test'), 'seen').ledger;
  expect(decideReview(tampered, NONE).reason).toContain('F1 of the engine stands (it changed a test).');
});

test('[RV14] without consensus a synthesis is asked for, and marked as one', () => {
  const asked = decideReview(split(), NONE);
  expect(asked).toMatchObject({ needs: 'synthesis', isSynthesis: false, decision: 'REVISE_BEST' });
  expect(asked.say).toContain('- bob on F1 (implementation impl_1, src/a.ts:3): disagree: not so');
  expect(asked.say).toContain('it overflows');
  const given = decideReview(split(), {
    ...NONE,
    synthesis: { decision: 'APPROVE', best: 'impl_2', reason: 'It is small.' },
  });
  expect(given).toMatchObject({ needs: null, isSynthesis: true, decision: 'APPROVE', best: 'impl_1' });
  expect(given.reason).toMatch(
    /^No consensus of 2 reviewers after round 2: a stalemate\. A synthesis, which is no consensus, says APPROVE: It is small\./,
  );
  expect(given.dissent.length).toBeGreaterThan(0);
});

test('[RV14] a synthesis that failed is not asked for twice: the best is revised', () => {
  expect(decideReview(split(), { ...NONE, synthesis: { failed: 'It gave none.' } })).toMatchObject({
    needs: null,
    decision: 'REVISE_BEST',
    isSynthesis: false,
  });
});

test('[RV14] a synthesis picks the best where the author said so, and may put several together', () => {
  const by = { pick: 'synthesis', evidence: {} } as const;
  expect(decideReview(agreed('APPROVE'), by).needs).toBe('synthesis');
  const parts = [
    { implementation: 'impl_2', paths: ['a.ts', ''] },
    { implementation: 'impl_9', paths: ['b.ts'] },
    { implementation: 'impl_1', paths: [] },
  ];
  const chosen = decideReview(agreed('APPROVE'), {
    ...by,
    synthesis: { decision: 'REVISE_ALL', best: 'impl_2', reason: 'x', parts },
  });
  expect(chosen).toMatchObject({ decision: 'APPROVE', best: 'impl_2', isSynthesis: true, needs: null });
  expect(chosen.parts).toEqual([{ implementation: 'impl_2', paths: ['a.ts'] }]);
});

/** Both approve, and all agree on what ann found in the second one. */
const standing = (parts: object) => {
  const findings = [draft('it overflows', { implementation: 'impl_2', ...parts })];
  return said(
    ledgerOf(),
    ['ann', reply('APPROVE', { findings })],
    ['bob', reply('APPROVE')],
    ['ann', reply('APPROVE')],
    ['bob', reply('APPROVE', { stances: [stance('F1', 'agree')] })],
  );
};

const mixed = (paths: readonly string[], best = 'impl_1') => ({
  pick: 'synthesis' as const,
  evidence: {},
  synthesis: {
    decision: 'APPROVE',
    best,
    reason: 'x',
    parts: [
      { implementation: 'impl_1', paths: ['src/b.ts'] },
      { implementation: 'impl_2', paths },
    ],
  },
});

test.each([
  ['src/a.ts', 3],
  ['./impl_2/src/a.ts', 3],
  ['src', 3],
  ['src/', null],
  ['src/*.ts', 3],
  ['{src,lib}/**', 3],
  ['src/a.ts:1-5', 3],
  ['src/a.ts:3', 3],
])(
  '[RV14] what all agree is grave in %s keeps it out of a hybrid, and the best one stands for itself',
  (path, line) => {
    const decided = decideReview(standing({ line }), mixed([path]));
    expect(decided).toMatchObject({ decision: 'APPROVE', best: 'impl_1', parts: [], isSynthesis: true });
    expect(decided.reason).toContain(
      'What was to be put together of several is left: F1 stands in src/a.ts (it overflows).',
    );
  },
);

test.each([
  ['src/c.ts', {}],
  ['src/a.ts:4-9', {}],
  ['src/a.tsx', {}],
  ['src/a.ts', { severity: 'minor' }],
  ['src/a.ts', { implementation: 'impl_1' }],
])('[RV14] what is small, or not in what is taken (%s), holds up no hybrid', (path, parts) => {
  expect(decideReview(standing(parts), mixed([path])).parts).toHaveLength(2);
});

test('[RV14] the best one alone is weighed with all that stands against it', () => {
  expect(decideReview(standing({}), mixed(['src/a.ts'], 'impl_2'))).toMatchObject({
    decision: 'REVISE_BEST',
    chosen: ['impl_2'],
    parts: [],
  });
  expect(decideReview(standing({}), mixed(['src/c.ts'], 'impl_2'))).toMatchObject({ decision: 'APPROVE' });
});

test('[RV14] a hybrid that was tried and did not do is left, and the reason says why', () => {
  const decided = decideReview(agreed('APPROVE'), { ...mixed(['src/c.ts']), unmixed: 'The merged files do not pass.' });
  expect(decided).toMatchObject({ decision: 'APPROVE', best: 'impl_1', parts: [] });
  expect(decided.reason).toContain('What was to be put together of several is left: The merged files do not pass.');
});

test('[RV14] a synthesis that the engine overrules has decided nothing', () => {
  const synthesis = { decision: 'APPROVE', best: 'impl_1', reason: 'x' };
  const evidence = { impl_1: { isGreen: false } };
  expect(decideReview(split(), { pick: 'ranking', evidence, synthesis })).toMatchObject({
    decision: 'REVISE_BEST',
    isSynthesis: false,
  });
  expect(decideReview(split(), { ...NONE, synthesis: { decision: 'maybe', best: 'impl_9' } }).isSynthesis).toBe(false);
});

test('[RV14] [RV15] a synthesis in prose is read by its keywords; prose without them is none', () => {
  const text = 'I weighed it.\nRANKING: impl_2 > impl_1\nAPPROVE: it was shown.';
  const by = { pick: 'synthesis', evidence: {} } as const;
  expect(decideReview(split(), { ...by, synthesis: { text } })).toMatchObject({
    decision: 'APPROVE',
    best: 'impl_2',
    isSynthesis: true,
  });
  expect(decideReview(split(), { ...by, synthesis: { text: 'Hard to say.' } })).toMatchObject({
    decision: 'REVISE_BEST',
    isSynthesis: false,
    needs: null,
  });
});

test('[RV14] a person picks the best where the author said so, from a card for each implementation', () => {
  const claims = { impl_1: 'It joins\nall spaces.' };
  const sizes = { impl_1: { files: 1, added: 4, removed: 2, binary: 0 } };
  const evidence = { impl_1: { isGreen: true, passed: 5 }, impl_2: { isGreen: true, passed: 1, failed: 2 } };
  const by = { pick: 'person', evidence, claims, sizes } as const;
  const asked = decideReview(agreed('APPROVE'), by);
  expect(asked.needs).toBe('person');
  expect(asked.question).toContain('Which implementation do you choose, and is it revised first?');
  const [first, revised, second, , all] = asked.choices;
  expect(first).toMatchObject({ answer: 'APPROVE impl_1', label: 'Choose as it is', workspace: 'impl_1' });
  expect(revised).toMatchObject({ answer: 'REVISE_BEST impl_1', label: 'Choose and revise', workspace: 'impl_1' });
  expect(first?.description).toContain(
    '- **Claim:** It joins all spaces.\n- **Tests:** green, 5 passed\n- **Changes:** 1 file, +4 −2 lines',
  );
  expect(second?.description).toContain('**Tests:** green, 1 passed, 2 failed');
  expect(all).toMatchObject({ answer: 'REVISE_ALL', label: 'Revise all' });
  // Each answer that is offered is one that decides.
  for (const { answer } of asked.choices)
    expect(decideReview(agreed('APPROVE'), { ...by, asked: answer }).needs).toBe(null);
  expect(decideReview(agreed('APPROVE'), { ...by, asked: 'IMPL_2.' })).toMatchObject({
    needs: null,
    best: 'impl_2',
    decision: 'APPROVE',
  });
  expect(decideReview(agreed('REVISE_ALL'), by).needs).toBe(null);
});

test.for(['APPROVE', 'REVISE_BEST'] as const)(
  '[RV14] where reviewers agree on %s, a person may still approve one that is red, or have it revised',
  (verdict) => {
    const by = { pick: 'person', evidence: { impl_2: { isGreen: false } } } as const;
    const { choices } = decideReview(agreed(verdict), by);
    const answers = choices.map(({ answer }) => answer);
    expect(answers).toEqual(expect.arrayContaining(['APPROVE impl_2', 'REVISE_BEST impl_2']));
    // What the reviewers agreed on comes first.
    expect(answers[0]).toBe(`${verdict} impl_1`);
    for (const decision of ['APPROVE', 'REVISE_BEST'])
      expect(decideReview(agreed(verdict), { ...by, asked: `${decision} impl_2` })).toMatchObject({
        needs: null,
        decision,
        best: 'impl_2',
        chosen: ['impl_2'],
      });
  },
);

test('[RV14] a person decides where reviewers differ, and is not overruled', () => {
  const by = { pick: 'person', evidence: { impl_2: { isGreen: false } } } as const;
  const { choices } = decideReview(split(), by);
  expect(choices.map(({ answer }) => answer)).toEqual([
    'APPROVE impl_1',
    'REVISE_BEST impl_1',
    'APPROVE impl_2',
    'REVISE_BEST impl_2',
    'REVISE_ALL',
  ]);
  for (const { answer } of choices) expect(decideReview(split(), { ...by, asked: answer }).needs).toBe(null);
  expect(decideReview(split(), { ...by, asked: 'APPROVE impl_2' })).toMatchObject({
    needs: null,
    decision: 'APPROVE',
    best: 'impl_2',
  });
  expect(decideReview(split(), { ...by, asked: 'REVISE_ALL' })).toMatchObject({
    needs: null,
    chosen: ['impl_1', 'impl_2'],
  });
});

test.for(['do not APPROVE impl_2', 'APPROVE impl_2, but not its tests', 'impl_2 I guess', 'APPROVE REVISE_ALL', 'yes'])(
  '[V3] a person who says %j has not decided, and is asked again',
  (asked) => {
    expect(decideReview(split(), { pick: 'person', evidence: {}, asked })).toMatchObject({ needs: 'person' });
  },
);

test('[RV14] one reviewer that is left decides, and it is said; with none a person is asked', () => {
  const alone = clean(dropReviewer(oneFinding(), 'bob', 'it hangs'));
  expect(decideReview(alone, NONE)).toMatchObject({ needs: null, decision: 'REVISE_BEST' });
  expect(decideReview(alone, NONE).reason).toMatch(/^ann alone says REVISE_BEST, which is no consensus\./);
  const empty = clean(dropReviewer(alone, 'ann', 'it crashed'));
  expect(decideReview(empty, NONE)).toMatchObject({ needs: 'person', best: 'impl_1' });
});

test('[RV14] what a reviewer found is not lost with it: the one that is left must say no to it before it approves', () => {
  const left = clean(dropReviewer(oneFinding(), 'ann', 'it hangs'));
  expect(left.outcome).toMatchObject({ kind: 'single', verdict: 'APPROVE' });
  const first = decideReview(left, NONE);
  expect(first).toMatchObject({ needs: null, decision: 'REVISE_BEST', chosen: ['impl_1'] });
  expect(first.reason).toContain('F1 of ann is open (it overflows)');
  const again = clean(reopen(left, { maxRounds: 1, touched: {}, chosen: ['impl_1'] }));
  const answers = (kind: string) =>
    decideReview(said(again, ['bob', reply('APPROVE', { ranking: ['impl_1'], stances: [stance('F1', kind)] })]), NONE);
  expect(answers('agree').decision).toBe('REVISE_BEST');
  expect(answers('disagree').decision).toBe('APPROVE');
});

test('[RV14] what is small does not hold up the one that is left', () => {
  const nit = { findings: [draft('a blank too many', { severity: 'nit' })] };
  const both = said(ledgerOf(), ['ann', reply('REVISE_BEST', nit)], ['bob', reply('APPROVE')]);
  expect(decideReview(clean(dropReviewer(both, 'ann', 'it hangs')), NONE).decision).toBe('APPROVE');
});

test('[RV14] with nothing left to choose there is no best', () => {
  const empty = said(
    newLedger(['ann', 'bob'], [], 3),
    ['ann', reply('APPROVE', { ranking: [] })],
    ['bob', reply('APPROVE', { ranking: [] })],
  );
  expect(decideReview(empty, NONE)).toMatchObject({ best: null, chosen: [], needs: null });
});

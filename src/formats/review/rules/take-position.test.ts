import { expect, test } from 'vitest';
import { takePosition } from './take-position.ts';
import { clean, draft, ledgerOf, oneFinding, reply, said, stance } from './testing/debates.ts';

const codes = (taken: ReturnType<typeof takePosition>) => taken.problems.map(({ code }) => code);

test('[RV4] the debate begins when all first reviews are in', () => {
  const early = takePosition(said(ledgerOf(), ['ann', reply('APPROVE')]), 'bob', reply('APPROVE'));
  expect(codes(early)).toEqual(['REVIEWS_MISSING']);
});

test('[RV4] who has spoken in a round speaks again when all others have', () => {
  const ledger = said(oneFinding(), ['ann', reply('REVISE_BEST')]);
  expect(codes(takePosition(ledger, 'ann', reply('REVISE_BEST')))).toEqual(['SPOKEN_ALREADY']);
  const next = said(
    ledger,
    ['bob', reply('APPROVE', { stances: [stance('F1', 'disagree')] })],
    ['ann', reply('REVISE_BEST')],
  );
  expect([next.round, next.spoke]).toEqual([2, ['ann']]);
});

test('[RV6] errors in stances are reported; the first one of a kind counts', () => {
  const stances = [stance('F9', 'agree'), stance('F1', 'perhaps'), stance('F1', 'disagree', ''), stance('F1', 'agree')];
  const taken = takePosition(oneFinding(), 'bob', reply('APPROVE', { stances }));
  expect(codes(taken)).toEqual(['FINDING_UNKNOWN', 'STANCE_UNKNOWN', 'REASON_MISSING', 'STANCE_TWICE']);
  expect(taken.problems[0]?.message).toBe('There is no finding "F9". Open are F1 (implementation impl_1, src/a.ts:3).');
  expect(taken.ledger.stances).toMatchObject([{ finding: 'F1', reviewer: 'bob', stance: 'disagree' }]);
});

test('[RV6] silence on a finding of others is reported; a stance may be kept', () => {
  const silent = takePosition(oneFinding(), 'bob', reply('APPROVE'));
  expect(silent.problems).toEqual([
    {
      code: 'STANCE_MISSING',
      message:
        'A stance is missing on F1 (implementation impl_1, src/a.ts:3): give one of agree, disagree, fixed, revise.',
    },
  ]);
  const spoken = said(
    oneFinding(),
    ['ann', reply('REVISE_BEST')],
    ['bob', reply('APPROVE', { stances: [stance('F1', 'disagree')] })],
    ['ann', reply('APPROVE')],
  );
  expect(takePosition(spoken, 'bob', reply('APPROVE')).problems).toEqual([]);
});

test('[RV6] a rewording is in force at once, keeps how it read before, and has to be agreed on', () => {
  const stances = [{ ...stance('F1', 'revise'), change: { severity: 'minor', claim: 'it may overflow' } }];
  const reworded = said(oneFinding(), ['ann', reply('REVISE_BEST')], ['bob', reply('APPROVE', { stances })]);
  expect(reworded.findings[0]).toMatchObject({
    claim: 'it may overflow',
    severity: 'minor',
    earlier: [{ by: 'ann', claim: 'it overflows', severity: 'major' }],
    closed: null,
  });
  expect(codes(takePosition(reworded, 'ann', reply('APPROVE')))).toEqual(['STANCE_MISSING']);
  const agreed = said(reworded, ['ann', reply('APPROVE', { stances: [stance('F1', 'agree')] })]);
  expect(agreed.findings[0]?.closed).toMatchObject({ how: 'agreed', stands: true });
});

test('[RV6] to revise without a word how is sent back; a rewording that changes nothing is agreement', () => {
  const bare = takePosition(oneFinding(), 'bob', reply('APPROVE', { stances: [stance('F1', 'revise', '')] }));
  expect(codes(bare)).toEqual(['CHANGE_MISSING']);
  expect(bare.ledger.stances).toEqual([]);
  const stances = [{ ...stance('F1', 'revise'), change: { claim: 'it overflows' } }];
  const same = said(oneFinding(), ['bob', reply('APPROVE', { stances })]);
  expect(same.findings[0]).toMatchObject({ earlier: [], closed: { how: 'agreed' } });
});

test('[RV6] with a reason alone, the reason is what should be done', () => {
  const stances = [stance('F1', 'revise', 'clamp it instead')];
  const ledger = said(oneFinding(), ['bob', reply('APPROVE', { stances })]);
  expect(ledger.findings[0]).toMatchObject({ claim: 'it overflows', change: 'clamp it instead' });
});

test('[RV5] what is closed is no longer debated; to say the same again is no mistake', () => {
  const open = said(
    ledgerOf(),
    ['ann', reply('REVISE_BEST', { findings: [draft('one'), draft('two')] })],
    ['bob', reply('APPROVE')],
    ['ann', reply('REVISE_BEST')],
  );
  const ledger = said(open, ['bob', reply('APPROVE', { stances: [stance('F1', 'agree'), stance('F2', 'disagree')] })]);
  expect(ledger.findings.map(({ closed }) => closed?.how)).toEqual(['agreed', undefined]);
  expect(codes(takePosition(ledger, 'ann', reply('APPROVE', { stances: [stance('F1', 'disagree')] })))).toEqual([
    'FINDING_CLOSED',
  ]);
  expect(codes(takePosition(ledger, 'ann', reply('APPROVE', { stances: [stance('F1', 'agree')] })))).toEqual([]);
});

test('[RV2] what its author holds already, word for word, is no new finding', () => {
  const again = takePosition(oneFinding(), 'ann', reply('REVISE_BEST', { findings: [draft('it overflows')] }));
  expect([again.added, again.ledger.findings.length]).toEqual([[], 1]);
  const other = takePosition(oneFinding(), 'ann', reply('REVISE_BEST', { findings: [draft('it leaks')] }));
  expect(other.added).toEqual(['F2']);
});

test.each([
  ['an unknown finding', { finding: 'F9', command: 'npm test', expect: 'fail' }, 'is no open finding'],
  ['no command', { finding: 'F1', command: ' ', expect: 'fail' }, 'no command'],
  ['no expectation', { finding: 'F1', command: 'npm test' }, 'must be pass or fail'],
])('[RV7] a test with %s cannot be run', (_, test, message) => {
  const taken = takePosition(oneFinding(), 'bob', reply('APPROVE', { stances: [stance('F1', 'disagree')], test }));
  expect(taken.test).toBe(null);
  expect(taken.problems[0]?.message).toContain(message);
});

test('[RV7] a test that can be run is handed on', () => {
  const test = { finding: 'F1', command: 'npm test', expect: 'fail' };
  const taken = takePosition(oneFinding(), 'bob', reply('APPROVE', { stances: [stance('F1', 'disagree')], test }));
  expect(clean(taken).tests).toEqual([]);
  expect(taken.test).toEqual(test);
});

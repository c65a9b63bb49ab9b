import { expect, test } from 'vitest';
import type { ProposedTest } from './position.ts';
import { addEngineFinding, closeByEvidence, markVerified, takeTest } from './take-evidence.ts';
import { takePosition } from './take-position.ts';
import { clean, draft, ledgerOf, oneFinding, reply, said, stance } from './testing/debates.ts';

const TEST: ProposedTest = { finding: 'F1', command: 'node check.js', expect: 'fail' };
const disputed = () =>
  said(oneFinding(), ['ann', reply('REVISE_BEST')], ['bob', reply('APPROVE', { stances: [stance('F1', 'disagree')] })]);

test('[RV7] evidence closes a finding whatever was said of it, and the dissent stays', () => {
  const ledger = clean(closeByEvidence(disputed(), 'F1', { stands: true, reason: 'The engine saw it.' }));
  expect(ledger.findings[0]?.closed).toEqual({
    how: 'evidence',
    stands: true,
    debate: 1,
    round: 1,
    reason: 'The engine saw it.',
  });
  const agreed = said(ledger, ['ann', reply('REVISE_BEST')], ['bob', reply('REVISE_BEST')]);
  expect(agreed.outcome).toMatchObject({
    kind: 'consensus',
    dissent: [{ kind: 'finding', reviewer: 'bob', finding: 'F1', stance: 'disagree' }],
  });
  expect(closeByEvidence(ledger, 'F9', { stands: true, reason: '' }).problems).toMatchObject([
    { code: 'FINDING_UNKNOWN' },
  ]);
});

test('[RV7] evidence that comes when all have spoken takes a stalemate back', () => {
  const still = said(disputed(), ['ann', reply('REVISE_BEST')], ['bob', reply('APPROVE')]);
  expect(still.outcome?.kind).toBe('stalemate');
  const ledger = clean(closeByEvidence(still, 'F1', { stands: false, reason: 'It passes.' }));
  expect(ledger.outcome).toBe(null);
  expect(said(ledger, ['ann', reply('APPROVE')], ['bob', reply('APPROVE')]).outcome?.kind).toBe('consensus');
});

test('[RV7] a test that bears its proposer out is shown and closes nothing: anybody can write `true`', () => {
  const refuting = takeTest(disputed(), 'bob', { test: { ...TEST, command: 'true' }, exitCode: 0, output: '' });
  expect(clean(refuting).findings[0]?.closed).toBe(null);
  expect(refuting.ledger.tests).toMatchObject([{ reviewer: 'bob', command: 'true', exitCode: 0 }]);
  const proving = takeTest(disputed(), 'ann', { test: { ...TEST, command: 'false' }, exitCode: 1, output: '' });
  expect(clean(proving).findings[0]?.closed).toBe(null);
});

test('[RV7] a test that goes against its proposer closes the finding at once', () => {
  const own = clean(takeTest(disputed(), 'ann', { test: TEST, exitCode: 0, output: '' }));
  expect(own.findings[0]?.closed).toMatchObject({
    how: 'evidence',
    stands: false,
    reason: '`node check.js` ended with 0, which refutes it.',
  });
  const others = clean(takeTest(disputed(), 'bob', { test: TEST, exitCode: 1, output: '' }));
  expect(others.findings[0]?.closed).toMatchObject({ how: 'evidence', stands: true });
});

test('[RV7] a test that both sides propose is decisive', () => {
  const first = clean(takeTest(disputed(), 'ann', { test: TEST, exitCode: 1, output: '' }));
  const repeated = clean(takeTest(first, 'ann', { test: TEST, exitCode: 1, output: '' }));
  expect(repeated.findings[0]?.closed).toBe(null);
  const agreed = takePosition(first, 'ann', reply('REVISE_BEST', { test: TEST })).ledger;
  const { test } = takePosition(agreed, 'bob', reply('APPROVE', { test: TEST }));
  expect(test).toEqual(TEST);
  expect(clean(takeTest(agreed, 'bob', { test: TEST, exitCode: 1, output: '' })).findings[0]?.closed).toMatchObject({
    stands: true,
  });
});

test('[RV7] a test that did not come to an end decides nothing; a stranger’s is not taken', () => {
  expect(clean(takeTest(disputed(), 'ann', { test: TEST, exitCode: null, output: '' })).findings[0]?.closed).toBe(null);
  expect(takeTest(disputed(), 'eve', { test: TEST, exitCode: 0, output: '' }).problems).toMatchObject([
    { code: 'REVIEWER_UNKNOWN' },
  ]);
  expect(
    takeTest(disputed(), 'ann', { test: { ...TEST, finding: 'F9' }, exitCode: 0, output: '' }).problems,
  ).toMatchObject([{ code: 'FINDING_UNKNOWN' }]);
});

test('[RV7] a finding of the engine stands until evidence says otherwise, and is there once', () => {
  const found = addEngineFinding(ledgerOf(), draft('it changed a test', { severity: 'critical' }), 'a.test.ts differs');
  expect(found.added).toEqual(['F1']);
  expect(found.ledger.findings[0]).toMatchObject({ by: 'engine', isVerified: true, closed: { stands: true } });
  const again = addEngineFinding(found.ledger, draft('it changed a test'), 'a.test.ts differs');
  expect(again.added).toEqual([]);
  const put = clean(closeByEvidence(found.ledger, 'F1', { stands: false, reason: 'It was put back.' }));
  expect(put.findings[0]?.closed?.stands).toBe(false);
  expect(addEngineFinding(put, draft('it changed a test'), 'again').added).toEqual(['F2']);
});

test('[RV2] whether a place is there is marked, and nothing else changes', () => {
  const ledger = markVerified(oneFinding(), { F1: true, F9: true });
  expect(ledger).toEqual({ ...oneFinding(), findings: [{ ...oneFinding().findings[0], isVerified: true }] });
});

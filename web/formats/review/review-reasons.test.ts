import { describe, expect, test } from 'vitest';
import { reviewViews } from './use-review.ts';
import { reviewFixtureRun } from './testing/review-fixture.ts';
import { graveFindings, redImplementations, reviewSentence } from './review-reasons.ts';

const { compare, debate } = reviewViews(reviewFixtureRun());

describe('[U2] why a review failed, in one look', () => {
  test('a merged one is shown as merged', () => {
    const merged = { ...compare, isMerged: true, winner: 'impl_1' };
    expect(reviewSentence({ compare: merged, debate })).toEqual({ isGood: true, text: 'impl_1 was merged.' });
    expect(reviewSentence({ compare, debate })).toEqual({ isGood: false, text: '1 grave finding stands or is open.' });
  });

  test('the best that could not come home is named with why', () => {
    const unverified = { implementation: 'ada', code: 'X', why: 'The tests are red.' };
    expect(reviewSentence({ compare: { ...compare, unverified }, debate })).toEqual({
      isGood: false,
      text: 'Nothing came home: of ada, the best, the tests are red.',
    });
  });

  test('while it goes on, what is red and what is grave is counted', () => {
    const [first] = compare.implementations;
    if (first === undefined) throw new Error('There is no implementation.');
    const evidence = {
      isGreen: false,
      exitCode: 1,
      passed: 1,
      failed: 2,
      problem: null,
      output: 'red',
      ms: 1,
      tampered: [],
    };
    const open = {
      ...compare,
      isMerged: false,
      outcome: null,
      winner: first.id,
      implementations: [{ ...first, evidence }],
    };
    expect(redImplementations(open).map(({ id }) => id)).toEqual([first.id]);
    expect(reviewSentence({ compare: open, debate: { ...debate, findings: [] } }).text).toBe(
      '1 of 1 implementations is red.',
    );
  });

  test('grave are critical and major ones that stand or are open, the worst first', () => {
    const [finding] = debate.findings;
    if (finding === undefined) throw new Error('There is no finding.');
    const findings = [
      { ...finding, id: 'A', severity: 'major', state: 'open' },
      { ...finding, id: 'B', severity: 'critical', state: 'standing' },
      { ...finding, id: 'C', severity: 'critical', state: 'fixed' },
      { ...finding, id: 'D', severity: 'nit', state: 'open' },
    ] as const;
    expect(graveFindings({ ...debate, findings }).map(({ id }) => id)).toEqual(['B', 'A']);
  });
});

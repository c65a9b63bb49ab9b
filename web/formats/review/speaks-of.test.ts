import { historyOf } from '../../model/run-history.ts';
import { describe, expect, test } from 'vitest';
import type { SaidEntry } from '../../model/transcript-entry.ts';
import { reviewRuns, reviewViews } from './use-review.ts';
import { saidOf, speaksOf } from './speaks-of.ts';
import { reviewFixture, reviewFixtureRun } from './testing/review-fixture.ts';

const said = historyOf(reviewFixtureRun()).transcript.entries.find(
  (entry): entry is SaidEntry => entry.kind === 'said' && entry.message.role === 'assistant',
);
const saying = (content: string, given: SaidEntry['uses'][number]['given'] = {}): SaidEntry => {
  if (said === undefined) throw new Error('Nobody spoke.');
  const use = { id: 'c', name: 'hand_in_position', given, status: 'reply', result: null, objection: null } as const;
  return { ...said, message: { ...said.message, content }, uses: [use] };
};

describe('[PD4] a review of a tree', () => {
  test('is found by its books, and folded as the commands do', () => {
    const [run] = reviewRuns(reviewFixture());
    expect(run?.run).toBe('r1');
    const { debate, compare } = reviewViews(reviewFixtureRun());
    expect(debate.findings.map(({ id }) => id)).toEqual(['F1', 'F2']);
    expect(compare.implementations.map(({ id }) => id)).toEqual(['impl_1', 'impl_2']);
  });
});

describe('[PD4] the turns that speak of a finding', () => {
  const finding = { id: 'F1', claim: 'It is wrong.', earlier: [] };

  test('name its id, in their words or in a reply, or bring its words before it had one', () => {
    expect(speaksOf([saying('F1 is right.')], finding)).toHaveLength(1);
    expect(speaksOf([saying('', { stances: [{ finding: 'F1' }] })], finding)).toHaveLength(1);
    expect(speaksOf([saying('', { findings: [{ claim: 'It is wrong.' }] })], finding)).toHaveLength(1);
    expect(speaksOf([saying('Something else.')], finding)).toEqual([]);
  });

  test('one number is not the beginning of another, and what was undone does not speak', () => {
    expect(speaksOf([saying('F12 is right.')], finding)).toEqual([]);
    expect(speaksOf([{ ...saying('F1'), standing: 'undone' }], finding)).toEqual([]);
  });

  test('what a reply says of it is its stance with its reason', () => {
    const stances = [
      { finding: 'F1', stance: 'agree', reason: 'Red is red.' },
      { finding: 'F2', stance: 'disagree', reason: '' },
    ];
    expect(saidOf(saying('', { stances }), { id: 'F1' })).toEqual(['agree: Red is red.']);
    expect(saidOf(saying('', { stances }), { id: 'F2' })).toEqual(['disagree']);
    expect(saidOf(saying('', { stances: 'none' }), { id: 'F1' })).toEqual([]);
  });
});

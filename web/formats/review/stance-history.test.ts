import { describe, expect, test } from 'vitest';
import type { Stance } from '../../../src/formats/review/rules/ledger.ts';
import { hasChanged, isTakenBack, shortRound, turnabouts } from './stance-history.ts';

const stance = (word: Stance['stance'], round: number, debate = 1): Stance => ({
  finding: 'F1',
  reviewer: 'ada',
  debate,
  round,
  stance: word,
  reason: 'Because.',
  wording: 0,
});
const OWN = { by: 'ada', debate: 1 };
const OTHERS = { by: 'bob' };

describe('[PD4] who changed their mind', () => {
  test('another stance in a later round of the same debate is a change of mind, with its reason', () => {
    const said = [stance('disagree', 1), stance('disagree', 2), stance('agree', 3)];
    expect(turnabouts(said)).toEqual([{ from: 'disagree', to: said[2] }]);
    expect(hasChanged(said, OTHERS)).toBe(true);
    expect(hasChanged([stance('agree', 1), stance('agree', 2)], OTHERS)).toBe(false);
  });

  test('an author that takes its finding back changes its mind without an earlier stance', () => {
    expect(isTakenBack(stance('disagree', 1), OWN)).toBe(true);
    expect(hasChanged([stance('disagree', 1)], OWN)).toBe(true);
    expect(hasChanged([stance('disagree', 1)], OTHERS)).toBe(false);
  });

  test('after a revision that it is fixed is no change of mind', () => {
    const said = [stance('agree', 1), stance('fixed', 1, 2)];
    expect(hasChanged(said, OWN)).toBe(false);
  });

  test('rounds are named', () => {
    expect([shortRound({ debate: 1, round: 2 }), shortRound({ debate: 3, round: 1 })]).toEqual(['R2', 'final 2 R1']);
  });
});

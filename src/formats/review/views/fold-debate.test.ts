import { describe, expect, test } from 'vitest';
import { dropReviewer } from '../rules/drop-reviewer.ts';
import { closeByEvidence } from '../rules/take-evidence.ts';
import type { DebateView } from './debate-view.ts';
import { foldDebate } from './fold-debate.ts';
import { finding, ReviewTale } from './testing/review-tale.ts';

const view = (tale: ReviewTale): DebateView => foldDebate(tale.records, { title: 'x', driven: true });

const reviewed = (): ReviewTale =>
  new ReviewTale(['rev_1', 'rev_2'], ['impl_1', 'impl_2'])
    .review('rev_1', { verdict: 'REVISE_BEST', findings: [finding()] })
    .review('rev_2', { findings: [finding({ implementation: 'impl_2', severity: 'nit', file: null, line: null })] });

const decided = (tale: ReviewTale): ReviewTale => tale.decide();

describe('[PD4] a debate as its records tell it', () => {
  test('has a row for every finding and a cell for every reviewer, with what each said in which round', () => {
    const tale = reviewed().position('rev_1', {
      stances: [{ finding: 'F2', stance: 'disagree', reason: 'It is taste.', change: null }],
    });
    const { findings, open } = view(tale);
    expect(findings.map(({ id, state }) => [id, state])).toEqual([
      ['F1', 'open'],
      ['F2', 'open'],
    ]);
    expect(findings[1]?.stances).toMatchObject([
      { reviewer: 'rev_1', isAuthor: false, stance: 'disagree', said: [{ round: 1, reason: 'It is taste.' }] },
      { reviewer: 'rev_2', isAuthor: true, stance: 'agree', said: [] },
    ]);
    expect(open).toEqual(['F1', 'F2']);
  });

  test('does not show verdicts of the present round before all have spoken', () => {
    const tale = reviewed().position('rev_1', { verdict: 'REVISE_ALL' });
    const half = view(tale);
    expect(half.rounds.at(-1)).toEqual({
      debate: 1,
      round: 1,
      verdicts: [{ reviewer: 'rev_1', isHidden: true, verdict: null, ranking: [], summary: '' }],
    });
    expect(half.reviewers[0]).toMatchObject({ reviewer: 'rev_1', verdict: 'REVISE_BEST' });
    expect(JSON.stringify(half)).not.toContain('REVISE_ALL');
    expect(half.speaker).toBe('rev_2');
    const whole = view(tale.position('rev_2', { verdict: 'APPROVE' }));
    expect(whole.rounds.at(-1)?.verdicts).toMatchObject([
      { reviewer: 'rev_1', isHidden: false, verdict: 'REVISE_ALL' },
      { reviewer: 'rev_2', isHidden: false, verdict: 'APPROVE' },
    ]);
  });

  test('shows what was hidden when the run ended in the middle of a round', () => {
    const tale = reviewed().position('rev_1', { verdict: 'REVISE_ALL' }).settle('cancelled');
    expect(view(tale).rounds.at(-1)?.verdicts).toMatchObject([{ isHidden: false, verdict: 'REVISE_ALL' }]);
    expect(view(tale).speaker).toBeNull();
  });

  test('tells what each debate came to, what was decided then, and what it cost', () => {
    const tale = reviewed()
      .position('rev_1', { verdict: 'REVISE_BEST', stances: [agree('F2')] })
      .position('rev_2', { verdict: 'REVISE_BEST', stances: [agree('F1')] });
    decided(tale).turn('impl_1', 'revise');
    tale.reopen(['impl_1'], { F1: true });
    tale
      .position('rev_1', { ranking: ['impl_1'], stances: [{ ...agree('F1'), stance: 'fixed', reason: 'Gone.' }] })
      .position('rev_2', { ranking: ['impl_1'] });
    const { debates, findings, resting, debate } = view(decided(tale));
    expect(debates).toMatchObject([
      { debate: 1, rounds: 1, came: 'consensus', verdict: 'REVISE_BEST', decision: { decision: 'REVISE_BEST' } },
      {
        debate: 2,
        rounds: 1,
        came: 'consensus',
        verdict: 'APPROVE',
        decision: { decision: 'APPROVE', best: 'impl_1' },
      },
    ]);
    expect(debates.map(({ spending }) => [spending.turns, spending.costUsd])).toEqual([
      [2, 0.5],
      [2, 0.5],
    ]);
    expect(debate).toBe(2);
    expect(resting).toEqual(['impl_2']);
    expect(findings.map(({ state, closed }) => [state, closed?.how])).toEqual([
      ['fixed', 'fixed'],
      ['resting', 'agreed'],
    ]);
  });

  test('keeps the dissent of a debate without consensus, and never calls a synthesis one', () => {
    const tale = new ReviewTale(['rev_1', 'rev_2'], ['impl_1', 'impl_2'], 1)
      .review('rev_1', { verdict: 'REVISE_ALL' })
      .review('rev_2', {})
      .position('rev_1', { verdict: 'REVISE_ALL' })
      .position('rev_2', {})
      .turn('synthesiser', 'synthesise');
    const synthesis = { decision: 'APPROVE', best: 'impl_1', reason: 'It works.' };
    tale.decide({ synthesis });
    const { debates, decision, spending } = view(tale);
    expect(debates[0]).toMatchObject({ came: 'stalemate', verdict: null });
    expect(debates[0]?.dissent).toEqual([
      { kind: 'verdict', reviewer: 'rev_1', verdict: 'REVISE_ALL' },
      { kind: 'verdict', reviewer: 'rev_2', verdict: 'APPROVE' },
    ]);
    expect(decision).toMatchObject({ decision: 'APPROVE', isSynthesis: true, needs: null });
    expect(spending.parts.synthesis).toMatchObject({ turns: 1, costUsd: 0.25 });
  });

  test('says why a reviewer is out and what evidence closed', () => {
    const tale = reviewed();
    tale.keep(closeByEvidence(tale.ledger, 'F1', { stands: false, reason: 'The test passes.' }).ledger);
    tale.keep(dropReviewer(tale.ledger, 'rev_2', 'It timed out.').ledger);
    const { reviewers, findings, debates } = view(tale);
    expect(reviewers[1]).toMatchObject({ out: 'It timed out.' });
    expect(findings[0]).toMatchObject({ state: 'refuted', closed: { how: 'evidence', reason: 'The test passes.' } });
    expect(debates[0]).toMatchObject({ came: 'single' });
  });

  test('is empty before anybody was asked', () => {
    const tale = new ReviewTale([], []);
    const first = foldDebate(tale.records.slice(0, 2), { title: 'x', driven: true });
    expect(first).toMatchObject({ debate: 0, findings: [], rounds: [], debates: [], reviewers: [], task: 'Make it.' });
  });

  test('names implementations that were lost, with the reason', () => {
    const tale = reviewed().set({ lost: [{ id: 'impl_2', outcome: 'crashed', reason: 'It broke.' }] });
    expect(view(tale).lost).toMatchObject([{ id: 'impl_2', reason: 'It broke.' }]);
  });
});

const agree = (id: string) => ({ finding: id, stance: 'agree' as const, reason: 'I see it.', change: null });

import { expect, test } from 'vitest';
import type { DebateView } from '../views/debate-view.ts';
import { foldDebate } from '../views/fold-debate.ts';
import { finding, ReviewTale } from '../views/testing/review-tale.ts';
import { debateNews } from './debate-text.ts';

const PLAIN = { width: 200, paint: (_style: string, text: string) => text };

/** The news for a reader along, over every state that the records went through. */
function newsOf(tale: ReviewTale): readonly string[] {
  let before: DebateView | null = null;
  const lines: string[] = [];
  for (let count = 2; count <= tale.records.length; count += 1) {
    const now = foldDebate(tale.records.slice(0, count), { title: 'x', driven: true });
    lines.push(...debateNews(before, now, PLAIN));
    before = now;
  }
  return lines;
}

test('[PD4] a reader along hears everything once, and verdicts only when all have spoken', () => {
  const tale = new ReviewTale(['rev_1', 'rev_2'], ['impl_1', 'impl_2'])
    .review('rev_1', { verdict: 'REVISE_BEST', findings: [finding()], ranking: ['impl_1', 'impl_2'] })
    .review('rev_2', {})
    .position('rev_1', {})
    .position('rev_2', { stances: [{ finding: 'F1', stance: 'agree', reason: 'Seen.', change: null }] });
  expect(newsOf(tale)).toEqual([
    'rev_1, first review: F1 [major] impl_1 src/a.ts:3: It is wrong.',
    'rev_1, first review: REVISE_BEST, impl_1 > impl_2',
    'rev_2, first review: APPROVE, impl_1 > impl_2',
    'rev_2, round 1: F1: it stands: Seen.',
    'F1: stands by agreement, round 1: rev_1, rev_2 agree that it stands.',
    'rev_1, round 1: APPROVE, impl_1 > impl_2',
    'rev_2, round 1: APPROVE, impl_1 > impl_2',
    'debate: consensus: APPROVE',
  ]);
});

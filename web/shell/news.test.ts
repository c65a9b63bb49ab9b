import { expect, test } from 'vitest';
import { sampleCard, sampleQuestion } from '../board/testing/sample-card.ts';
import { newsOf, newsText } from './news.ts';

const quiet = sampleCard();
const asking = sampleCard({ column: 'needs-you', status: 'waiting', details: { questions: [sampleQuestion('q1')] } });

test('[U2] a question that was not there before is news, once', () => {
  expect(newsOf(quiet, asking).map(newsText)).toEqual(['Fix the login asks: Which way?']);
  expect(newsOf(asking, asking)).toEqual([]);
});

test('[U2] what a page finds when it opens is no news', () => {
  expect(newsOf(undefined, asking)).toEqual([]);
  expect(newsOf(sampleCard({ details: null }), asking)).toEqual([]);
});

test('[U2] an answer from anywhere and the end of a run are news', () => {
  expect(newsOf(asking, quiet).map(({ kind }) => kind)).toEqual(['answered']);
  const over = sampleCard({ status: 'settled', outcome: 'failed', title: '' });
  expect(newsOf(quiet, over).map(newsText)).toEqual(['run-1 is over: failed.']);
  expect(newsOf(asking, sampleCard({ details: null }))).toEqual([]);
});

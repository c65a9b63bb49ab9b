import { expect, test } from 'vitest';
import { sampleCard, sampleQuestion } from '../board/testing/sample-card.ts';
import { newsOf, newsText } from './news.ts';

/** When the page was opened: long after the samples, or before them. */
const [LATER, EARLIER] = [Number.MAX_SAFE_INTEGER, 0];

const quiet = sampleCard();
const asking = sampleCard({ column: 'needs-you', status: 'waiting', details: { questions: [sampleQuestion('q1')] } });

test('[U2] a question that was not there before is news, once', () => {
  expect(newsOf(quiet, asking, LATER).map(newsText)).toEqual(['Fix the login asks: Which way?']);
  expect(newsOf(asking, asking, LATER)).toEqual([]);
});

test('[U2] what a page finds when it opens is no news', () => {
  expect(newsOf(undefined, asking, LATER)).toEqual([]);
  expect(newsOf(sampleCard({ details: null }), asking, LATER)).toEqual([]);
});

test('[U2] an answer from anywhere and the end of a run are news', () => {
  expect(newsOf(asking, quiet, LATER).map(({ kind }) => kind)).toEqual(['answered']);
  const over = sampleCard({ status: 'settled', outcome: 'failed', title: '' });
  expect(newsOf(quiet, over, LATER).map(newsText)).toEqual(['run-1 is over: failed.']);
  expect(newsOf(asking, sampleCard({ details: null }), LATER)).toEqual([]);
});

test('[U2] a run that begins and asks, or is over, before its first card arrived is still news', () => {
  expect(newsOf(undefined, asking, EARLIER).map(({ kind }) => kind)).toEqual(['asks']);
  expect(newsOf(sampleCard({ details: null }), asking, EARLIER).map(({ kind }) => kind)).toEqual(['asks']);
  expect(newsOf(undefined, sampleCard({ status: 'settled' }), EARLIER).map(({ kind }) => kind)).toEqual(['over']);
  expect(newsOf(undefined, sampleCard({ status: 'settled' }), LATER)).toEqual([]);
});

import { expect, test } from 'vitest';
import type { RequestLine } from '../../../src/protocol/request-trace.ts';
import { cacheWords, expectedWords, firstShown, requestPlace, sizeWords, tokenWords } from './request-words.ts';

const LINE: RequestLine = {
  number: 6,
  run: 'r',
  step: null,
  agent: 'coder',
  state: 'code',
  visit: 2,
  call: 1,
  attempt: 1,
  isSummary: false,
  seq: 20,
  answeredSeq: 21,
  answer: 'Done.',
  failure: null,
  actor: 'model',
  model: 'base',
  tokens: 4100,
  countedTokens: 4321,
  window: 128_000,
  cache: { predicted: 0.95, reported: 0.92 },
  cut: [],
};

const cached = (reported: number | null) => ({ ...LINE, cache: { predicted: 0.95, reported } });

test('[A5] what a provider reported to have read from its cache is said, and a prediction only as one', () => {
  expect(cacheWords(cached(0.92))).toBe('92 % read from cache');
  expect(cacheWords(cached(0.001))).toBe('<1 % read from cache');
  expect(cacheWords(cached(0))).toBe('no cache read reported');
  expect(cacheWords(cached(null))).toBe('95 % expected from cache');
  expect(cacheWords({ ...LINE, actor: 'client' })).toBe('cache kept by the client');
  expect([expectedWords(cached(0)), expectedWords(cached(null))]).toEqual([', 95 % expected', '']);
});

test('[A3] a request says its state, visit, call and attempt', () => {
  expect(requestPlace(LINE)).toBe('code, visit 2, call 1');
  expect(requestPlace({ ...LINE, attempt: 3 })).toBe('code, visit 2, call 1, attempt 3');
});

test('[A3] a request of a run below is named with its step, and a request for a summary as one', () => {
  expect(requestPlace({ ...LINE, step: 'review', isSummary: true })).toBe(
    'review: code, visit 2, call 1, asks for a summary',
  );
});

test("[A6] the provider's count is shown as its own, and an estimate as one", () => {
  expect([tokenWords(LINE), tokenWords({ ...LINE, countedTokens: null })]).toEqual(['4.3k tokens', '~4.1k tokens']);
  expect(sizeWords(LINE)).toBe("4.3k tokens of a window of 128k by the provider's count, 4.1k tokens estimated");
  expect(sizeWords({ ...LINE, countedTokens: null, window: null })).toBe('4.1k tokens estimated');
});

test('[A3] before one is chosen the first that failed is shown, else the first', () => {
  const failed = { ...LINE, number: 7, failure: 'CONTEXT_OVERFLOW' };
  expect([firstShown([LINE, failed]), firstShown([LINE]), firstShown([])]).toEqual([failed, LINE, null]);
});

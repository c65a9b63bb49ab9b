import { expect, test } from 'vitest';
import type { RequestLine } from '../../../src/protocol/request-trace.ts';
import { cacheWords, expectedWords, requestPlace } from './request-words.ts';

const LINE: RequestLine = {
  number: 6,
  ofAgent: 4,
  run: 'r',
  agent: 'coder',
  state: 'code',
  visit: 2,
  call: 1,
  attempt: 1,
  seq: 20,
  answeredSeq: 21,
  actor: 'model',
  model: 'base',
  tokens: 4100,
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

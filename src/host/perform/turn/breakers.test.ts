import { expect, test } from 'vitest';
import type { Failure } from '../../../core/model/outcome.ts';
import { Breakers } from './breakers.ts';

const HOUR = 3_600_000;
const usedUp: Failure = { code: 'QUOTA_USED_UP', message: 'Used up.', class: 'quota' };
const until = (retryAfterMs: number): Failure => ({ ...usedUp, retryAfterMs });

test('[Q5] a quota is there again when its time has come, and not before', () => {
  let now = 1000;
  const breakers = new Breakers(() => now);
  breakers.failed('anthropic', until(HOUR));
  expect(breakers.refusal('anthropic')).toMatchObject({ retryAfterMs: HOUR });
  expect(breakers.refusal('openai')).toBeNull();
  now += HOUR;
  expect(breakers.refusal('anthropic')).toBeNull();
});

test('[Q5] a call without a known end of its quota waits until the known one', () => {
  let now = 1000;
  const breakers = new Breakers(() => now);
  breakers.failed('anthropic', until(HOUR));
  now += HOUR / 2;
  expect(breakers.failed('anthropic', usedUp)).toMatchObject({ class: 'quota', retryAfterMs: HOUR / 2 });
  expect(breakers.refusal('anthropic')).toMatchObject({ retryAfterMs: HOUR / 2 });
});

test.each([
  [HOUR, 2 * HOUR],
  [2 * HOUR, HOUR],
])('[Q5] of two ends the later one counts: %d, then %d', (one, other) => {
  const breakers = new Breakers(() => 1000);
  breakers.failed('anthropic', until(one));
  expect(breakers.failed('anthropic', until(other))).toMatchObject({ retryAfterMs: 2 * HOUR });
  expect(breakers.refusal('anthropic')).toMatchObject({ retryAfterMs: 2 * HOUR });
});

test('[Q5] a login that is gone needs a person, and the end of the quota stays known', () => {
  const breakers = new Breakers(() => 1000);
  breakers.failed('anthropic', until(HOUR));
  const gone: Failure = { code: 'AUTH_FAILED', message: 'Not logged in.', class: 'auth' };
  expect(() => breakers.failed('anthropic', gone)).toThrow('Not logged in.');
  expect(breakers.refusal('anthropic')).toMatchObject({ class: 'quota', retryAfterMs: HOUR });
  breakers.retry();
  expect(breakers.refusal('anthropic')).toMatchObject({ retryAfterMs: HOUR });
});

test('[Q5] a failure without a known end needs a person, who then allows another try', () => {
  const breakers = new Breakers(() => 1000);
  expect(() => breakers.failed('anthropic', usedUp)).toThrow('Used up.');
  expect(() => breakers.refusal('anthropic')).toThrow('Used up.');
  breakers.retry();
  expect(breakers.refusal('anthropic')).toBeNull();
});

test('other failures close no way', () => {
  const breakers = new Breakers(() => 1000);
  const broken: Failure = { code: 'ENDPOINT_FAILED', message: 'HTTP 500', class: 'server' };
  expect(breakers.failed('anthropic', broken)).toBe(broken);
  expect(breakers.refusal('anthropic')).toBeNull();
});

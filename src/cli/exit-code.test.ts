import { expect, test } from 'vitest';
import { OUTCOMES } from '../core/model/outcome.ts';
import { exitCodeOf } from './exit-code.ts';

test('[L10] every outcome has its exit code', () => {
  const codes = Object.fromEntries(OUTCOMES.map((outcome) => [outcome, exitCodeOf({ status: 'settled', outcome })]));
  expect(codes).toEqual({
    ok: 0,
    partial: 1,
    failed: 1,
    timeout: 1,
    crashed: 1,
    skipped: 1,
    blocked: 3,
    cancelled: 4,
    quota: 4,
  });
});

test('[L10] a partial outcome is a success only where it was allowed', () => {
  expect(exitCodeOf({ status: 'settled', outcome: 'partial' }, { allowPartial: true })).toBe(0);
  expect(exitCodeOf({ status: 'settled', outcome: 'failed' }, { allowPartial: true })).toBe(1);
});

test('[L10] a run that waits for a person is 3, one that met a limit is 4', () => {
  expect(exitCodeOf({ status: 'waiting', outcome: null })).toBe(3);
  expect(exitCodeOf({ status: 'paused', outcome: null })).toBe(4);
});

test('[L10] a run that a person paused is 3: it waits for somebody to resume it', () => {
  expect(exitCodeOf({ status: 'paused', outcome: 'blocked' })).toBe(3);
  expect(exitCodeOf({ status: 'paused', outcome: 'quota' })).toBe(4);
});

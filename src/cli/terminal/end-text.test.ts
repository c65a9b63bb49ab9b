import { expect, test } from 'vitest';
import { NO_RESULT } from '../../core/look/result-state.ts';
import { NO_USAGE } from '../../core/model/usage.ts';
import type { SettledLine } from '../../protocol/run-line.ts';
import { verdictText } from './end-text.ts';

const LINE: SettledLine = {
  kind: 'run.settled',
  run: 'r1',
  status: 'settled',
  outcome: 'ok',
  result: NO_RESULT,
  output: null,
  usage: { ...NO_USAGE, calls: 3 },
  costUsd: 0.18,
  failure: null,
  question: null,
  folder: null,
};

const time = (workedMs: number, waitedMs = 0) => ({ workedMs, waitedMs });

test('[U1] a run ends with how it came out, how long it took and what it cost', () => {
  expect(verdictText(LINE, time(6200)).text).toBe('✓ ok after 6.2 s, $0.18, 3 calls');
  expect(verdictText({ ...LINE, costUsd: null }, time(6200)).text).toBe('✓ ok after 6.2 s, cost unknown, 3 calls');
  const failure = { code: 'AUTH_FAILED', message: 'The key was refused.', class: 'auth' } as const;
  expect(verdictText({ ...LINE, outcome: 'failed', failure }, time(100)).text).toBe(
    '✗ failed after 100 ms, $0.18, 3 calls: AUTH_FAILED: The key was refused.',
  );
  expect(verdictText({ ...LINE, kind: 'run.waiting', status: 'waiting' }, time(100)).text).toBe(
    '? waiting for a person after 100 ms, $0.18, 3 calls',
  );
});

test('[U1] the end of a run names the time that it waited for a person beside the time that it worked', () => {
  const { text } = verdictText(LINE, time(6200, 61_000));
  expect(text).toMatch(/^✓ ok after 6\.2 s, waited 1.+ for a person, \$0\.18, 3 calls$/);
});

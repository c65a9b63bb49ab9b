import { expect, test } from 'vitest';
import { NO_RESULT, resultAs, type ResultState } from '../../src/core/look/result-state.ts';
import type { ShownRunResult } from '../model/run-result.ts';
import { filesWords, headOf, inALine, toneOf } from './outcome-words.ts';

const result: ShownRunResult = {
  outcome: 'ok',
  failure: null,
  facts: [],
  step: null,
  end: 'done',
  artifacts: [],
  state: NO_RESULT,
  where: '',
  output: null,
};

test('[U2] the first words of a run that is over: how it came out, and the reason where there is one', () => {
  expect(headOf(result)).toBe('Done');
  const failure = { code: 'CALL_FAILED', message: 'It broke.', class: 'logic' } as const;
  expect(headOf({ ...result, outcome: 'failed', failure })).toBe('Failed: It broke.');
  expect(headOf({ ...result, outcome: 'failed', end: 'unusable' })).toBe('Failed: it ended with “unusable”');
  expect(headOf({ ...result, outcome: 'failed', end: 'failed' })).toBe('Failed');
});

test('[U2] [L4] a result that was refused is not called done', () => {
  expect(headOf({ ...result, state: resultAs('not-verified') }, 'not verified')).toBe('Not verified');
  expect(headOf({ ...result, state: resultAs('conflict') }, 'in conflict')).toBe('In conflict');
  expect(headOf({ ...result, state: resultAs('undelivered') }, 'ok')).toBe('Done');
  expect(toneOf('not verified')).toBe(toneOf('failed'));
  expect(toneOf('in conflict')).toBe(toneOf('partial'));
  expect(new Set(['ok', 'failed', 'partial', 'cancelled'].map(toneOf)).size).toBe(4);
});

test('[U2] a result that is being delivered is not said to need a resume', () => {
  const owed: ShownRunResult = { ...result, state: resultAs('undelivered') };
  expect(filesWords(owed, true)).toBe('its changes are being delivered');
  expect(filesWords(owed)).toBe('its changes are not delivered yet: resume the run');
});

test('[U2] where its changes are', () => {
  expect(filesWords(result)).toBe('');
  const words = (state: ResultState, more: Partial<ShownRunResult> = {}) => filesWords({ ...result, state, ...more });
  const where = 'troupe/r';
  expect(words(resultAs('branch'), { where })).toBe('its changes wait on the branch troupe/r');
  expect(words(resultAs('merged'), { where })).toBe('git has merged its branch troupe/r');
  expect(words(resultAs('unapproved'))).toBe('its files changed after they were approved and were not delivered');
  expect(words(resultAs('applied'))).toBe('its changes are in your files');
  expect(words(resultAs('applied', { isUnverified: true }))).toBe('its changes are in your files, not verified');
  expect(words(resultAs('held'), { where: '.npmrc' })).toBe(
    'its changes are in your files, without those that steer your programs: .npmrc',
  );
});

test('[U2] a value is shown in a line; a longer one can be unfolded', () => {
  expect(inALine(null)).toEqual({ line: '', hasMore: false });
  expect(inALine(42)).toEqual({ line: '42', hasMore: false });
  expect(inALine('\n- one\n')).toEqual({ line: 'one', hasMore: false });
  expect(inALine('- one\n- two')).toEqual({ line: 'one', hasMore: true });
  expect(inALine({})).toEqual({ line: '{}', hasMore: false });
  expect(inALine({ a: 'x'.repeat(500) })).toMatchObject({ hasMore: true });
  expect(inALine('y'.repeat(500)).line.length).toBeLessThan(150);
});

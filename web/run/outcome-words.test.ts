import { expect, test } from 'vitest';
import type { RunResult } from '../model/run-result.ts';
import { filesWords, headOf, inALine } from './outcome-words.ts';

const result: RunResult = {
  outcome: 'ok',
  failure: null,
  facts: [],
  step: null,
  end: 'done',
  artifacts: [],
  files: 'none',
  where: '',
  output: null,
};

test('[U2] the first words of a run that is over: how it came out, and the reason where there is one', () => {
  expect(headOf(result)).toBe('Done');
  const failure = { code: 'X', message: 'It broke.', class: 'logic' } as const;
  expect(headOf({ ...result, outcome: 'failed', failure })).toBe('Failed: It broke.');
  expect(headOf({ ...result, outcome: 'failed', end: 'unusable' })).toBe('Failed: it ended with “unusable”');
  expect(headOf({ ...result, outcome: 'failed', end: 'failed' })).toBe('Failed');
});

test('[U2] where its changes are', () => {
  expect(filesWords(result)).toBe('');
  expect(filesWords({ files: 'branch', where: 'troupe/r' })).toBe('its changes wait on the branch troupe/r');
  expect(filesWords({ files: 'taken-branch', where: 'troupe/r' })).toBe(
    'nothing waits on the branch troupe/r any more',
  );
  expect(filesWords({ files: 'taken', where: '' })).toBe('its changes are in your files');
  expect(filesWords({ files: 'held', where: '.npmrc' })).toBe(
    'its changes are in your files, without those that steer your programs: .npmrc',
  );
});

test('[U2] a value is told in a line; what is longer can be unfolded', () => {
  expect(inALine(null)).toEqual({ line: '', hasMore: false });
  expect(inALine(42)).toEqual({ line: '42', hasMore: false });
  expect(inALine('\n- one\n')).toEqual({ line: 'one', hasMore: false });
  expect(inALine('- one\n- two')).toEqual({ line: 'one', hasMore: true });
  expect(inALine({})).toEqual({ line: '{}', hasMore: false });
  expect(inALine({ a: 'x'.repeat(500) })).toMatchObject({ hasMore: true });
  expect(inALine('y'.repeat(500)).line.length).toBeLessThan(150);
});

import { expect, test } from 'vitest';
import { statusChanges } from './status-changes.ts';
import {
  began,
  ended,
  entered,
  putBack,
  settled,
  testRecords,
  turnOf,
  work,
  type TestFact,
} from './testing/test-records.ts';

const BEGIN: readonly TestFact[] = [began('r'), entered('a')];
const WORK: readonly TestFact[] = [...BEGIN, work('t1', 'a', turnOf('x'))];
const ROLL: TestFact = { kind: 'rollback.started', outcome: 'failed', output: null, failure: null };
const RESUMED: TestFact = { kind: 'run.resumed', epoch: 2 };
const FORKED: TestFact = { kind: 'run.forked', from: { run: 'q', seq: 3 }, input: {}, by: 'me' };
const FAILED = settled('failed');

test.each<[string, readonly TestFact[], string]>([
  ['a run that was only made is pending', BEGIN, 'pending'],
  ['the first piece of work makes it run', WORK, 'pending running'],
  ['so does going on to another state', [...BEGIN, entered('b', 'a')], 'pending running'],
  ['and being resumed after a crash before that', [...BEGIN, RESUMED], 'pending running'],
  ['ok is success', [...WORK, ended('t1'), settled()], 'pending running success'],
  ['skipped is success: there was nothing to do', [...WORK, settled('skipped')], 'pending running success'],
  ['[L5] partial is no success', [...WORK, settled('partial')], 'pending running failed'],
  ['failed, its files kept', [...WORK, FAILED], 'pending running failed'],
  ['timed out', [...WORK, settled('timeout')], 'pending running failed'],
  ['crashed', [...WORK, settled('crashed')], 'pending running failed'],
  ['blocked', [...WORK, settled('blocked')], 'pending running failed'],
  ['quota', [...WORK, settled('quota')], 'pending running failed'],
  ['cancelled', [...WORK, settled('cancelled')], 'pending running failed'],
  ['[PH7] it failed and its files are being put back', [...WORK, ROLL], 'pending running failed rollback'],
  ['[L6] the process died while it rolled back', [...WORK, ROLL, RESUMED], 'pending running failed rollback'],
  ['rolled back, for good', [...WORK, ROLL, FAILED], 'pending running failed rollback failed_final'],
  ['a person puts a failed run back', [...WORK, FAILED, putBack(3)], 'pending running failed rollback'],
  [
    'and it comes out well after that',
    [...WORK, FAILED, putBack(3), RESUMED, settled()],
    'pending running failed rollback running success',
  ],
  [
    'also one that had rolled itself back',
    [...WORK, ROLL, FAILED, putBack(3), RESUMED, settled()],
    'pending running failed rollback failed_final rollback running success',
  ],
  [
    'it fails again after that, and its files are kept',
    [...WORK, ROLL, FAILED, putBack(3), RESUMED, FAILED],
    'pending running failed rollback failed_final rollback running failed',
  ],
  [
    'the rollback is itself undone',
    [...WORK, ROLL, FAILED, putBack(3), putBack(5, { status: 'settled' })],
    'pending running failed rollback failed_final rollback failed_final',
  ],
  ['files alone that are put back change nothing', [...WORK, FAILED, putBack(3, null)], 'pending running failed'],
  ['a fork waits to be resumed', [...WORK, FORKED], 'pending running pending'],
  ['a fork that came out well', [...WORK, FORKED, RESUMED, settled()], 'pending running pending running success'],
  ['a pause is no other status', [...WORK, { kind: 'run.paused', by: 'me', reason: 'lunch' }], 'pending running'],
])('[PH5] %s', (_title, facts, statuses) => {
  expect(statusChanges(testRecords(facts)).map(({ status }) => status)).toEqual(statuses.split(' '));
});

test('[PH5] each status has the moment in which it began', () => {
  expect(statusChanges(testRecords([...WORK, settled()]))).toEqual([
    { status: 'pending', at: 1000 },
    { status: 'running', at: 3000 },
    { status: 'success', at: 4000 },
  ]);
});

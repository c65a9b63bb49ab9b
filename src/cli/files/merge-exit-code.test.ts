import { expect, test } from 'vitest';
import { EXIT } from '../exit-code.ts';
import type { MergeOutcome } from '../../host/deliver/merge-outcome.ts';
import { mergeExitCode } from './print-delivery.ts';

const applied: MergeOutcome = {
  kind: 'result.applied',
  run: 'r',
  project: '/p',
  changes: [],
  cautions: [],
  undoTo: 1,
};
const refused: MergeOutcome = {
  kind: 'result.not-verified',
  run: 'r',
  command: 'make',
  exitCode: 1,
  reason: 'It ended with 1.',
  output: '',
  folder: '/f',
};
const conflict: MergeOutcome = { kind: 'result.conflict', run: 'r', against: 'project', conflicts: [] };
const open: MergeOutcome = { ...conflict, conflicts: [{ path: 'a', kind: 'content' }] };

test('[U1] work that was finished is reported as finished, though somebody pressed Ctrl-C meanwhile', () => {
  const stopped = AbortSignal.abort();
  expect(mergeExitCode(applied, stopped)).toBe(EXIT.ok);
  expect(mergeExitCode(open, stopped)).toBe(EXIT.waits);
  expect(mergeExitCode(refused, stopped)).toBe(EXIT.interrupted);
});

test('[U1] where a person has to decide, the exit code says that something waits', () => {
  const { signal } = new AbortController();
  expect([applied, open, refused].map((outcome) => mergeExitCode(outcome, signal))).toEqual([
    EXIT.ok,
    EXIT.waits,
    EXIT.waits,
  ]);
});

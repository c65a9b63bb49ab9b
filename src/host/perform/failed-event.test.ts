import { expect, test } from 'vitest';
import { Fault } from '../../core/model/fault.ts';
import { runId } from '../../core/model/ids.ts';
import { pauseUntilFixed } from './failed-event.ts';

const hintFor = (hint?: string): string | undefined =>
  pauseUntilFixed(runId('7k2m'), new Fault('SETUP_FAILED', 'No.', hint === undefined ? {} : { hint })).failure?.hint;

test('[L3] the way on is named once: by the hint itself, or behind it', () => {
  const own = 'Fix it and continue with: troupe resume 7k2m\nOr continue without it: troupe resume 7k2m --no-setup';
  expect(hintFor(own)).toBe(own);
  expect(hintFor('Fix it.')).toBe('Fix it. Then continue with: troupe resume 7k2m');
  expect(hintFor()).toBe('Then continue with: troupe resume 7k2m');
});

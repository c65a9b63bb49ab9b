import { expect, test } from 'vitest';
import { Fault } from '../../core/model/fault.ts';
import { runId } from '../../core/model/ids.ts';
import { pauseUntilMended } from './failed-event.ts';

const hintFor = (hint?: string): string | undefined =>
  pauseUntilMended(runId('7k2m'), new Fault('SETUP_FAILED', 'No.', hint === undefined ? {} : { hint })).failure?.hint;

test('[L3] the way on is named once: by the hint itself, or behind it', () => {
  const own = 'Mend it and go on with: troupe resume 7k2m\nOr go on without it: troupe resume 7k2m --no-setup';
  expect(hintFor(own)).toBe(own);
  expect(hintFor('Mend it.')).toBe('Mend it. Then go on with: troupe resume 7k2m');
  expect(hintFor()).toBe('Then go on with: troupe resume 7k2m');
});

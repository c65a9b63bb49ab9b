import { expect, test } from 'vitest';
import { evidenceIn } from './review-input.ts';

const NONE = { isGreen: false, exitCode: null, output: 'It broke.', tampered: [] };

test('[PD2] what is no evidence of a command is never green', () => {
  const wrong = [null, 'green', {}, { isGreen: true }, { isGreen: 'yes', exitCode: 0, output: '', tampered: [] }];
  expect(wrong.map((output) => evidenceIn({ output, reason: 'It broke.' }))).toEqual(wrong.map(() => NONE));
  const green = { id: 'impl_1', isGreen: true, exitCode: 0, output: '3 passed', tampered: [], passed: 3 };
  expect(evidenceIn({ output: green, reason: null })).toEqual(green);
});

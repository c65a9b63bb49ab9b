import { expect, test } from 'vitest';
import { valueText } from './value-text.ts';

test('[U1] a result that is an object is printed as lines, and long texts are cut', () => {
  const text = valueText({
    winner: 'coder',
    revisions: 1,
    isSynthesis: false,
    dissent: [],
    lost: ['one', { id: 'two', why: 'late' }],
    evidence: { coder: { output: Array.from({ length: 10 }, (_, index) => `line ${index + 1}`).join('\n') } },
  });
  expect(text.split('\n')).toEqual([
    'winner: coder',
    'revisions: 1',
    'isSynthesis: false',
    'dissent: none',
    'lost:',
    '  - one',
    '  - id: two',
    '    why: late',
    'evidence:',
    '  coder:',
    '    output:',
    ...[1, 2, 3, 4, 5, 6, 7, 8].map((line) => `      line ${line}`),
    '      … and 2 more lines',
  ]);
});

test('[U1] a value that is no object is printed as it is, without escapes', () => {
  expect([valueText('a\u001B[31mb'), valueText(7), valueText(null), valueText({})]).toEqual(['ab', '7', 'null', '']);
});

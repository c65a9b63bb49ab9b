import { expect, test } from 'vitest';
import { outputText, valueText } from './end-text.ts';

test('[U1] a result that is an object is printed as lines, and long texts are cut; of records in it only the names', () => {
  const text = valueText({
    winner: 'coder',
    revisions: 1,
    isSynthesis: false,
    dissent: [],
    lost: ['one', { id: 'two', why: 'late' }],
    unverified: null,
    evidence: { coder: { isGreen: true }, tester: { isGreen: false } },
    report: { text: Array.from({ length: 10 }, (_, index) => `line ${index + 1}`).join('\n') },
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
    'evidence: coder, tester',
    'report:',
    '  text:',
    ...[1, 2, 3, 4, 5, 6, 7, 8].map((line) => `    line ${line}`),
    '    … and 2 more lines',
  ]);
});

test('[U1] a value that is no object is printed as it is, without escapes', () => {
  expect([valueText('a\u001B[31mb'), valueText(7), valueText(null), valueText({})]).toEqual(['ab', '7', 'null', '']);
});

test('[U1] the output of a run never fills the screen, and says where all of it is', () => {
  const many = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`key${index}`, index]));
  const lines = outputText(many, 'r1').split('\n');
  expect(lines).toHaveLength(25);
  expect(lines.at(-1)).toBe('… all of it: troupe show r1 --json');
});

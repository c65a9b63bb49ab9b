import { expect, test } from 'vitest';
import { choiceLines } from './answer-words.ts';

test('[U2] a terminal shows what is known of a candidate once, below all the answers that choose it', () => {
  const about = { workspace: 'impl_1', description: '- **Tests:** green\n- **Findings:** none' };
  const choiceDetails = [
    { answer: 'APPROVE impl_1', label: 'Choose as it is', ...about },
    { answer: 'REVISE_BEST impl_1', label: 'Choose and revise', ...about },
    { answer: 'none' },
  ];
  expect(choiceLines({ choiceDetails })).toEqual([
    'APPROVE impl_1: Choose as it is',
    'REVISE_BEST impl_1: Choose and revise',
    '  - Tests: green',
    '  - Findings: none',
    'none',
  ]);
  expect(choiceLines({})).toEqual([]);
});

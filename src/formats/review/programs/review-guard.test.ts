import { expect, test } from 'vitest';
import { decideReview } from '../rules/decide.ts';
import { newLedger } from '../rules/ledger.ts';
import { askReview, programStep, opens } from './testing/review-bench.ts';

const FILES = { 'check.sh': 'grep -q good work.txt\n', 'work.txt': 'none\n' };

const decision = decideReview(newLedger([], ['impl_1'], 1), { pick: 'ranking', evidence: {} });

test.for([
  ['what the command is made of', { 'check.sh': 'exit 0\n', 'work.txt': 'bad\n' }, 'collide', 'check.sh. '],
  ['the work alone', { 'work.txt': 'good\n' }, 'merge', ''],
  // It is not settled yet, and cannot be merged so.
  [
    'what is still between marks',
    { 'check.sh': '<<<<<<< main\nexit 1\n=======\nexit 0\n>>>>>>> impl_1\n' },
    'merge',
    '',
  ],
] as const)(
  '[PD7] [L4] changed files of the command are reported, and nothing runs: %s',
  async ([, writes, go, named]) => {
    const steps = [
      { by: 'impl_1', writes },
      opens(['impl_1'], { command: 'sh check.sh', decision }),
      programStep('review.guard', { agent: 'impl_1' }),
    ];
    const { answers, state } = await askReview(steps, { files: FILES });
    expect(answers.at(-1)).toMatchObject({ outcome: 'ok', output: { go } });
    expect(state.say).toContain(named);
  },
);

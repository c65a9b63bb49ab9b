import { expect, test } from 'vitest';
import { askPrograms, written } from '../../../host/perform/programs/testing/program-bench.ts';
import { OWN } from './testing/review-bench.ts';

const FILES = { 'check.sh': 'grep -q good work.txt\n', 'work.txt': 'none\n' };

const asks = {
  ask: 'review.tampered',
  as: 'found',
  input: written({ agent: 'impl_1', command: 'sh check.sh', protect: [] }),
};

test.for([
  ['what the command is made of', { 'check.sh': 'exit 0\n', 'work.txt': 'bad\n' }, ['check.sh']],
  ['the work alone', { 'work.txt': 'good\n' }, []],
  // It is not settled yet, and cannot be merged so.
  ['what is still between marks', { 'check.sh': '<<<<<<< main\nexit 1\n=======\nexit 0\n>>>>>>> impl_1\n' }, []],
] as const)('[PD7] [L4] told is what was changed of the command, and nothing is run: %s', async ([, writes, paths]) => {
  const { answers } = await askPrograms([{ by: 'impl_1', writes }, asks], { files: FILES, workspaces: OWN });
  expect(answers.at(-1)).toMatchObject({ outcome: 'ok', output: { paths } });
});

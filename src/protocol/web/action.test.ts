import { expect, test } from 'vitest';
import { commandText, commandWords } from './action.ts';

test('[U2] every action is a command of the command line', () => {
  expect(commandText({ kind: 'start', workflow: 'coder_reviewer', input: { task: 'Add "it"', n: 3 } })).toBe(
    `troupe run coder_reviewer --input 'task=Add "it"' --input n=3`,
  );
  expect(commandText({ kind: 'answer', run: 'r1/t2', question: 'q1', text: "don't" })).toBe(
    `troupe answer r1/t2 q1 'don'\\''t'`,
  );
  expect(commandText({ kind: 'cancel', run: 'r1', reason: 'no more' })).toBe(`troupe cancel r1 --reason 'no more'`);
  expect(commandText({ kind: 'resume', run: 'r1', definition: 'new', limits: { usd: 2 } })).toBe(
    'troupe resume r1 --definition new --max-usd 2',
  );
  expect(commandText({ kind: 'fork', run: 'r1', at: 'review#2', input: { a: [1] }, title: 't' })).toBe(
    `troupe fork r1 --at review#2 --input 'a=[1]' --title t`,
  );
  expect(commandText({ kind: 'fork', run: 'r1', at: '7', tell: [{ agent: 'coder', text: 'no = no' }] })).toBe(
    `troupe fork r1 --at 7 --tell 'coder=no = no'`,
  );
  const deliver = { to: 'apply', verify: 'npm test', allowsPartial: true } as const;
  expect(commandText({ kind: 'fork', run: 'r1', at: '7', deliver })).toBe(
    `troupe fork r1 --at 7 --apply --verify 'npm test' --allow-partial`,
  );
  expect(commandText({ kind: 'discard', run: 'r1' })).toBe('troupe discard r1 --yes');
  expect(commandText({ kind: 'archive', run: 'r1', isUndone: true })).toBe('troupe archive r1 --undo');
  expect(commandText({ kind: 'deliver', run: 'r1', to: { kind: 'apply' }, verify: 'npm test', ours: ['a'] })).toBe(
    `troupe deliver r1 --apply --verify 'npm test' --ours a`,
  );
  expect(commandText({ kind: 'rollback', run: 'r1', to: '7', only: 'files', isPreview: true })).toBe(
    'troupe rollback r1 --to 7 --files --dry-run',
  );
  expect(commandText({ kind: 'rollback', run: 'r1', to: '7' })).toBe('troupe rollback r1 --to 7 --yes');
});

test('[U2] a text that looks like an option is still a text', () => {
  expect(commandWords({ kind: 'answer', run: 'r1', question: 'q1', text: '-5' })).toEqual([
    'answer',
    '--',
    'r1',
    'q1',
    '-5',
  ]);
  expect(commandWords({ kind: 'start', workflow: '--help', input: { a: '-' }, slots: 2 })).toEqual([
    'run',
    '--input',
    'a=-',
    '--slots',
    '2',
    '--',
    '--help',
  ]);
});

test('[U2] a value that looks like an option is one word with its own option', () => {
  expect(
    commandWords({ kind: 'fork', run: 'r1', at: '-1', title: '--detach', tell: [{ agent: '-a', text: 'x' }] }),
  ).toEqual(['fork', 'r1', '--at=-1', '--title=--detach', '--tell=-a=x']);
  const to = { kind: 'patch', file: '--apply' } as const;
  expect(commandWords({ kind: 'deliver', run: 'r1', to, ours: ['-x'], theirs: ['--', 'y'] })).toEqual([
    'deliver',
    'r1',
    '--patch=--apply',
    '--ours=-x',
    '--theirs=--',
    '--theirs',
    'y',
  ]);
  expect(commandWords({ kind: 'start', workflow: 'w', input: { '--web': 'x' } })).toEqual([
    'run',
    'w',
    '--input=--web=x',
  ]);
});

import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { BenchStep } from '../../../host/perform/outputs/testing/program-bench.ts';
import { testShell } from '../../../host/perform/outputs/testing/test-shell.ts';
import { cannotRun } from './review-try.ts';
import { askReview, programStep, opens } from './testing/review-bench.ts';

const tries = (command: string): readonly BenchStep[] => [opens([], { command }), programStep('review.try')];

const FILES = { 'readme.txt': 'Nothing.\n' };

test.for([
  ['a program that is not there', 'no-such-program --all', 127],
  ['a file that cannot be run', './readme.txt', 126],
  ['a script whose own program is not there', 'sh -c no-such-program', 127],
] as const)('[PD2] %s cannot be run', async ([, command, exitCode]) => {
  const { state, answers } = await askReview(tries(command), { files: FILES, world: testShell() });
  expect(answers.at(-1)).toMatchObject({ outcome: 'ok', output: { go: 'ask_verify' } });
  expect(state.unusable).toContain(`\`${command}\` ended with exit code ${exitCode}`);
});

test.for([
  ['green', 'true'],
  ['red', 'exit 1'],
  ['of tests that are not written yet', 'node --test test/not-there.test.mjs'],
] as const)('[PD2] one that is %s can be run', async ([, command]) => {
  const { state, answers } = await askReview(tries(command), { files: FILES, world: testShell() });
  expect(answers.at(-1)?.output).toEqual({ go: 'implement' });
  expect(state).toMatchObject({ command, unusable: '' });
});

test.for([
  ['with an overlay', testShell()],
  ['without one', { ...testShell(), hasOverlay: () => Promise.resolve(false) }],
] as const)('[PD2] nothing of what it wrote stays, %s', async ([, world]) => {
  const { folder } = await askReview(tries('echo left > left.txt; rm readme.txt'), { files: FILES, world });
  expect(readdirSync(folder)).toEqual(['readme.txt']);
});

describe('[PD2] tools that are not there', () => {
  const end = (output: string, exitCode = 1) => ({ exitCode, output, ms: 1, problem: null });

  test.for([
    ['make: *** [Makefile:2: test] Error 127', true],
    ['error: Failed to spawn: `pytest`', true],
    ['/usr/bin/python3: No module named pytest', true],
    // The work may bring these.
    ['/usr/bin/python3: No module named bech32', false],
    ['npm error Missing script: "test"', false],
    ["make: *** No rule to make target 'test'.  Stop.", false],
  ] as const)('are recognised by the output: %s', ([output, isUnusable]) => {
    expect(cannotRun(end(`first line\n${output}\n`))).toBe(isUnusable);
    expect(cannotRun(end(output, 0))).toBe(false);
  });
});

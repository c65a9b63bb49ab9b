import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../core/model/json.ts';
import { askPrograms, begins, collects, type BenchOptions, type BenchStep } from './testing/program-bench.ts';
import { testShell } from './testing/test-shell.ts';

const shell = testShell();
const PLAN = { name: 'tasks', form: 'file', path: 'tasks.json', type: 'plan' } as const;

type Criteria = readonly (string | JsonObject)[];

const collected = async (criteria: Criteria, options: BenchOptions = {}, between: readonly BenchStep[] = []) =>
  await askPrograms([begins('make'), ...between, collects('make', [], { criteria, agent: 'coder' })], {
    ...options,
    world: { ...shell, ...options.world },
  });

test('[L4] commands are run by the engine and files looked for; sentences that cannot be checked are listed as unchecked', async () => {
  const { answers, facts } = await collected(
    [
      { command: 'grep -q hello a.txt' },
      { files: ['a.txt', 'docs/*.md'] },
      'No security vulnerabilities',
      'Tests pass',
    ],
    { files: { 'a.txt': 'hello', 'docs/one.md': '' } },
  );
  const criteria = [
    { text: 'grep -q hello a.txt', checked: true, held: true },
    { text: 'These files exist: a.txt, docs/*.md', checked: true, held: true },
    { text: 'No security vulnerabilities', checked: false, held: null, why: 'It cannot be checked by the engine.' },
    { text: 'Tests pass', checked: false, held: null, why: 'No test command is known here.' },
  ];
  expect(answers[1]).toMatchObject({ outcome: 'ok', output: { criteria } });
  const result = facts.findLast((fact) => fact.kind === 'bus.sent');
  expect(result).toMatchObject({ message: { type: 'result', payload: { status: 'success', criteria } } });
});

test('[PH5] one that does not hold fails the phase with all of them, as text for the agent', async () => {
  const { answers } = await collected([
    { command: 'echo two tests failed; exit 3' },
    { files: ['missing.ts'] },
    { command: 'true' },
  ]);
  expect(answers[1]).toMatchObject({
    outcome: 'failed',
    failure: { code: 'CRITERIA_FAILED' },
    output: {
      missing: [
        {
          name: 'echo two tests failed; exit 3',
          path: null,
          why: '`echo two tests failed; exit 3`, run by the engine, ended with exit code 3. It ended with:\ntwo tests failed',
        },
        { name: 'These files exist: missing.ts', path: null, why: 'missing.ts does not exist.' },
      ],
    },
  });
  expect(answers[1]?.output).toMatchObject({ text: expect.stringContaining('two tests failed') });
});

test('[PH5] "Tests pass" is checked if the test commands of the project are known', async () => {
  const world = { testCommands: () => Promise.resolve(['test -f a.txt', 'test -f b.txt']) };
  const options = { files: { 'a.txt': '' }, world };
  const red = await collected(['Tests pass.'], options);
  expect(red.answers[1]?.failure?.message).toContain('`test -f b.txt`, run by the engine, ended with exit code 1.');
  const green = await collected(['All tests pass'], options, [{ by: 'coder', writes: { 'b.txt': '' } }]);
  expect(green.answers[1]).toMatchObject({
    output: { criteria: [{ text: 'All tests pass', checked: true, held: true }] },
  });
});

test('[PH5] "All files in task list created" is checked by the list of tasks given to the phase, as it was then', async () => {
  const tasks = (files: readonly string[]) => JSON.stringify([{ id: 1, description: 'x', files, risk: 'low' }]);
  const both = async (writes: Readonly<Record<string, string>>) =>
    await askPrograms([
      begins('planning'),
      { by: 'planner', writes: { 'tasks.json': tasks(['src/a.ts', 'src/b.ts']) } },
      collects('planning', [PLAN]),
      begins('make'),
      { by: 'coder', writes },
      collects('make', [], {
        criteria: ['All files in task list created'],
        dependencies: '$common_data.planningd.artifacts.map(one => one.id)',
      }),
    ]);
  const half = await both({ 'src/a.ts': '', 'tasks.json': tasks([]) });
  expect(half.answers[3]?.failure?.message).toContain('src/b.ts does not exist.');
  const whole = await both({ 'src/a.ts': '', 'src/b.ts': '' });
  expect(whole.answers[3]).toMatchObject({ output: { criteria: [{ checked: true, held: true }] } });
  const none = await collected(['All files in the task list are created']);
  expect(none.answers[1]).toMatchObject({ output: { criteria: [{ checked: false, held: null }] } });
});

const HOW = [
  ['an overlay', 'write', true],
  ['no overlay, for a role that writes', 'write', false],
  ['no overlay, for a role that only reads', 'read', false],
] as const;

test.for(HOW)('[PH3] files that a check writes are discarded: %s', async ([, mode, wantsOverlay], { skip }) => {
  if (wantsOverlay && !(await shell.hasOverlay())) skip('there is no overlay here');
  const { answers, folder, facts } = await collected([{ command: 'echo changed > a.txt; echo new > b.txt' }], {
    files: { 'a.txt': 'as it was' },
    roles: { coder: { mode } },
    world: { hasOverlay: () => Promise.resolve(wantsOverlay) },
  });
  expect(answers[1]?.outcome).toBe('ok');
  expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('as it was');
  expect(() => readFileSync(join(folder, 'b.txt'))).toThrow('ENOENT');
  expect(facts.filter(({ kind }) => kind === 'files.changed')).toEqual([]);
});

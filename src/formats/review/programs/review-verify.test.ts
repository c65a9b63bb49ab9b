import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { treeId } from '../../../core/model/ids.ts';
import { isJsonObject, type JsonObject } from '../../../core/model/json.ts';
import { METHODS } from '../../../workspace/testing/test-workspaces.ts';
import {
  askPrograms,
  type Answer,
  type BenchStep,
  written,
} from '../../../host/perform/outputs/testing/program-bench.ts';
import { testShell } from '../../../host/perform/outputs/testing/test-shell.ts';
import { evidenceOf } from './review-verify.ts';
import { OWN, placeOf } from './testing/review-bench.ts';

const shell = testShell();

const verifies = (command: string, more: JsonObject = {}): BenchStep => ({
  ask: 'review.verify',
  as: 'verified',
  input: written({ id: 'impl_1', agent: 'impl_1', command, protect: null, ...more }),
});

const SUITE = {
  'test/a.test.mjs': `import test from 'node:test';
import assert from 'node:assert';
import { add } from '../src/add.mjs';
test('adds', () => assert.equal(add(1, 2), 3));
test('adds nothing', () => assert.equal(add(1, 0), 1));
`,
};

function outputOf(answers: readonly Answer[]): string {
  const given = answers.at(-1)?.output ?? null;
  return isJsonObject(given) && typeof given['output'] === 'string' ? given['output'] : '';
}

const GOOD = 'export const add = (a, b) => a + b;\n';
const BAD = 'export const add = (a, b) => a - b;\n';

test.for([
  ['with an overlay', shell],
  ['without one', { ...shell, hasOverlay: () => Promise.resolve(false) }],
] as const)(
  '[PD2] a green command is evidence, with counts, and nothing that it wrote stays, %s',
  async ([, world]) => {
    const { answers, folder } = await askPrograms(
      [
        { by: 'impl_1', writes: { 'src/add.mjs': GOOD } },
        verifies('node --test && echo left > src/left.txt && echo bad > src/add.mjs'),
      ],
      { files: SUITE, workspaces: OWN, world },
    );
    expect(answers.at(-1)).toMatchObject({
      outcome: 'ok',
      output: {
        id: 'impl_1',
        exitCode: 0,
        isGreen: true,
        passed: 2,
        failed: 0,
        tampered: [],
        extended: [],
        problem: null,
      },
    });
    const source = join(placeOf(folder, 'impl_1'), 'src');
    expect(readdirSync(source)).toEqual(['add.mjs']);
    expect(readFileSync(join(source, 'add.mjs'), 'utf8')).toBe(GOOD);
  },
);

test('[PD2] a red command is an answer too, and says why', async () => {
  const { answers } = await askPrograms([{ by: 'impl_1', writes: { 'src/add.mjs': BAD } }, verifies('node --test')], {
    files: SUITE,
    workspaces: OWN,
    world: shell,
  });
  expect(answers.at(-1)).toMatchObject({
    outcome: 'ok',
    output: { exitCode: 1, isGreen: false, passed: 1, failed: 1 },
  });
  expect(outputOf(answers)).toContain('adds');
});

test.for([['with an overlay'], ['without one']] as const)(
  '[L4] an implementer that guts the tests and the command is found out, %s',
  async ([how]) => {
    const world = how === 'with an overlay' ? shell : { ...shell, hasOverlay: () => Promise.resolve(false) };
    const tampering = { 'test/a.test.mjs': '', 'package.json': '{"scripts":{"test":"true"}}', 'src/add.mjs': BAD };
    const { answers, facts, folder } = await askPrograms(
      [{ by: 'impl_1', writes: tampering }, verifies('npm test'), verifies('npm test')],
      {
        files: { ...SUITE, 'package.json': '{"scripts":{"test":"node --test"}}' },
        workspaces: OWN,
        world,
      },
    );
    expect(answers).toHaveLength(2);
    for (const { output } of answers) {
      expect(output).toMatchObject({ isGreen: false, passed: 1, failed: 1 });
      expect(output).toMatchObject({
        tampered: [
          { path: 'package.json', how: 'changed' },
          { path: 'test/a.test.mjs', how: 'changed' },
        ],
      });
    }
    // Its own files are what it made of them, and the run's were never touched.
    const own = facts.findLast((fact) => fact.kind === 'files.changed' && fact.workspace === 'impl_1');
    expect(answers[1]?.output).toMatchObject({ tree: own?.kind === 'files.changed' ? own.tree : null });
    expect(existsSync(folder)).toBe(false);
  },
);

test('[PD2] what is ignored is there for the command, as the implementer left it', async () => {
  const { answers } = await askPrograms(
    [
      { by: 'impl_1', writes: { 'node_modules/dep/index.js': 'x', 'test/a.test.mjs': 'gutted' } },
      verifies('test -e node_modules/dep/index.js && grep -q adds test/a.test.mjs'),
    ],
    { files: { ...SUITE, '.gitignore': 'node_modules\n' }, isGit: true, workspaces: OWN, world: shell },
  );
  expect(answers.at(-1)?.output).toMatchObject({ isGreen: true, tampered: [{ path: 'test/a.test.mjs' }] });
});

test('[PD2] a workspace that is a layer over shared files is verified like any other', async (context) => {
  context.skip(!METHODS.includes('overlay'), 'No overlay workspace can be made here.');
  const { answers } = await askPrograms(
    [{ by: 'impl_1', writes: { 'test/a.test.mjs': 'gutted', 'src/add.mjs': GOOD } }, verifies('node --test')],
    { files: SUITE, workspaces: OWN, world: shell, settings: { method: 'overlay' } },
  );
  expect(answers.at(-1)?.output).toMatchObject({ isGreen: true, passed: 2, tampered: [{ path: 'test/a.test.mjs' }] });
});

test('[PD2] a command that hangs is stopped and red', async () => {
  const { answers } = await askPrograms(
    [{ by: 'impl_1', writes: { a: '' } }, verifies('echo begun; sleep 600', { timeoutMs: 3000 })],
    { workspaces: OWN, world: shell },
  );
  expect(answers.at(-1)).toMatchObject({
    outcome: 'ok',
    output: { exitCode: null, isGreen: false, problem: 'The command took too long.' },
  });
  expect(outputOf(answers)).toContain('begun');
});

test('[PD2] only the end of a long output is kept, and the counts are read from all of it', async () => {
  const { answers } = await askPrograms(
    [
      { by: 'impl_1', writes: { a: '' } },
      verifies("echo '5 passed in 0.1s'; i=0; while [ $i -lt 3000 ]; do echo line $i; i=$((i+1)); done"),
    ],
    { workspaces: OWN, world: shell },
  );
  const output = outputOf(answers);
  expect(output.length).toBeLessThan(8300);
  expect(output).toMatch(/^\[…\]\nline/);
  expect(output.endsWith('line 2999')).toBe(true);
  expect(answers.at(-1)?.output).toMatchObject({ passed: 5 });
});

test('[PD2] a name that is no agent is refused, and no other workspace is looked at instead', async () => {
  const { answers } = await askPrograms([verifies('true', { agent: 'impl_9' })], { world: shell });
  expect(answers.at(-1)).toMatchObject({ outcome: 'failed', failure: { code: 'PROGRAM_INPUT' } });
});

test('[L4] an agent that guts a thousand tests is detected, and not all of them are named', () => {
  const paths = Array.from({ length: 1000 }, (_, at) => `test/t${at}.test.mjs`);
  const tampered = paths.map((path) => ({ path, how: 'deleted' as const }));
  const end = { exitCode: 0, output: '', ms: 1, problem: null };
  const evidence = evidenceOf(end, { tree: treeId('a'.repeat(40)), tampered, extended: paths });
  expect(evidence['tampered']).toEqual(tampered.slice(0, 500));
  expect(evidence['extended']).toEqual(paths.slice(0, 500));
});

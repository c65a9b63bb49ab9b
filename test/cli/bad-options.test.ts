import { expect, test } from 'vitest';
import { ASK_THEN_WORK, scriptedProject } from './projects.ts';

test.each([
  ['--slots', '-1', '--slots must be a whole number, 1 or more; it is -1.'],
  ['--slots', '0', '--slots must be a whole number, 1 or more; it is 0.'],
  ['--slots', '1.5', '--slots must be a whole number, 1 or more; it is 1.5.'],
  ['--slots', 'x', '--slots must be a whole number; it is "x".'],
  ['--slots', '', '--slots must be a whole number; it is "".'],
  ['--max-usd', '-3', '--max-usd must be a number zero or more; it is -3.'],
  ['--max-usd', 'much', '--max-usd must be a number; it is "much".'],
])('[L3] %s %j says which numbers will do', async (flag, value, message) => {
  const result = await scriptedProject().troupe(['run', 'quest', 'x', '--no-input', flag, value]);
  expect(result).toMatchObject({ code: 2, stdout: '' });
  expect(result.stderr).toContain(`troupe: USAGE: ${message}`);
});

test('[L3] a port that there cannot be is bad usage, not a defect', async () => {
  const result = await scriptedProject().troupe(['script-model', '--port', '70000']);
  expect(result).toMatchObject({ code: 2, stderr: 'troupe: USAGE: --port must be 0 to 65535; it is 70000.\n' });
});

test('[L3] slots for a workflow that works off no list are refused, not passed over', async () => {
  const sandbox = scriptedProject();
  const result = await sandbox.troupe(['run', 'two_steps', 'x', '--slots', '2']);
  expect(result).toMatchObject({ code: 2, stdout: '' });
  expect(result.stderr).toContain('--slots has no effect: "two_steps" works off no list.');
});

test('[L3] a misspelt level is refused with a suggestion, and a role is not taken for a level', async () => {
  const sandbox = scriptedProject();
  const misspelt = await sandbox.troupe(['run', 'two_steps', 'x', '--model', 'bas=base']);
  expect(misspelt).toMatchObject({ code: 2, stdout: '' });
  expect(misspelt.stderr).toBe(
    'troupe: LEVEL_UNKNOWN: --model bas=base: there is no level named "bas".\nhint: Did you mean "base"?\n',
  );
  const role = await sandbox.troupe(['run', 'two_steps', 'x', '--model', 'worker=base']);
  expect(role.stderr).toContain('hint: That is a role. It has the level "base"');
});

test('[L3] a misspelt level is refused where a run goes on, too', async () => {
  const sandbox = scriptedProject({ 'flow.ts': ASK_THEN_WORK });
  await sandbox.troupe(['run', 'flow.ts']);
  for (const words of [
    ['answer', 'last', 'red'],
    ['resume', 'last'],
    ['fork', 'last', '--at', 'start'],
  ]) {
    const result = await sandbox.troupe([...words, '--model', 'bas=base']);
    expect({ words, code: result.code }).toEqual({ words, code: 2 });
    expect(result.stderr).toContain('LEVEL_UNKNOWN');
  }
});

test.each([
  ['.troupe/workflows/mine.yaml', 'mine'],
  ['.troupe/workflows/other.yaml', 'mine'],
  ['.troupe/workflows/quest.yaml', 'quest'],
])('[L3] %s with errors in it is reported as such, for the name %s', async (file, name) => {
  const sandbox = scriptedProject({ [file]: `workflow_name: ${name}\nstats: []\n` });
  const result = await sandbox.troupe(['run', name, 'x', '--no-input']);
  expect(result).toMatchObject({ code: 2, stdout: '' });
  expect(result.stderr).toContain(
    `troupe: WORKFLOW_INVALID: The workflow "${name}" cannot be used: ${file} has errors.`,
  );
  expect(result.stderr).toMatch(/:2:1 {2}KEY_UNKNOWN {2}The key "stats"/);
  const unknown = await sandbox.troupe(['run', 'nowhere', 'x']);
  expect(unknown.stderr).toContain('WORKFLOW_UNKNOWN');
  expect(unknown.stderr).toContain('Files with errors were passed over');
});

test('[L3] a level of a role that is not configured can be given a model', async () => {
  const sandbox = scriptedProject({
    '.troupe/roles/roles.json': JSON.stringify({ worker: { level: 'special', systemMessage: 'You work.' } }),
  });
  expect((await sandbox.troupe(['run', 'two_steps', 'x', '--model', 'special=base'])).code).toBe(0);
});

test.each([
  ['quest', ['run', 'quest', '']],
  ['quest', ['quest', 'new', '  ']],
  ['two_steps', ['run', 'two_steps', '--input', 'task=']],
])('[L3] an empty request to %s is refused before anybody is paid: %j', async (name, words) => {
  const sandbox = scriptedProject();
  const result = await sandbox.troupe([...words, '--no-input']);
  expect(result).toMatchObject({ code: 2, stdout: '' });
  expect(result.stderr).toMatch(
    new RegExp(`INPUT_EMPTY: The input "\\w+" of "${name}" is empty.*\nhint: As in: troupe run`),
  );
  expect(JSON.parse((await sandbox.troupe(['list', '--json'])).stdout)).toMatchObject({ items: [] });
});

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadWorkflowFile } from '../../load-workflows.ts';
import { importModule, withConditions } from './module-content.ts';
import { evaluateStageCondition, type WorkflowStage, type WorkflowState } from '../stages.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'troupe-import-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

const REGISTER = `globalThis[Symbol.for('troupe.stages.1.conditions')].set`;

test('a module of the same code is loaded once', async () => {
  const path = write('one.mjs', 'export const made = {};\n');
  expect(await importModule(path, 'a')).toBe(await importModule(path, 'a'));
});

test('[ST5] a changed module is loaded again, with its imports by path', () => {
  write('word.mjs', `export const word = 'old';\n`);
  const path = write('one.mjs', `export { word } from './word.mjs';\n`);
  // In a separate process, because tests have a different loader.
  const script = `
    import { writeFileSync } from 'node:fs';
    import { importModule } from ${JSON.stringify(join(import.meta.dirname, 'module-content.ts'))};
    const first = await importModule(${JSON.stringify(path)}, 'a');
    writeFileSync(${JSON.stringify(join(folder, 'word.mjs'))}, "export const word = 'new';");
    const second = await importModule(${JSON.stringify(path)}, 'b');
    process.stdout.write(first.exports.word + ' ' + second.exports.word);
  `;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  expect({ stdout, stderr }).toEqual({ stdout: 'old new', stderr: '' });
});

test('a module that could not be loaded can be fixed', async () => {
  const path = write('one.mjs', 'export const = 1;\n');
  await expect(importModule(path, 'a')).rejects.toThrow('Unexpected token');
  write('one.mjs', 'export const right = 1;\n');
  expect((await importModule(path, 'b')).exports).toMatchObject({ right: 1 });
});

test('[ST2] each module sees the conditions that it registered, also when another one has the same name', async () => {
  const stage: WorkflowStage = {
    name: 'x',
    agent: 'a',
    description: '',
    outputType: 'task',
    condition: { type: 'custom', customCheck: 'mine' },
  };
  const paths = [true, false].map((value) => write(`${value}.mjs`, `${REGISTER}('mine', () => ${value});\n`));
  const modules = await Promise.all(paths.map((path) => importModule(path, 'a')));
  const looked = modules.map((module) =>
    withConditions(module, () => evaluateStageCondition(stage, {} as WorkflowState)),
  );
  expect(looked).toEqual([true, false]);
});

test('[ST2] a module that exports neither kind of workflow is reported, and so are all problems of a stage workflow', async () => {
  const none = write('none.mjs', 'export const x = 1;\n');
  expect(await loadWorkflowFile(none)).toMatchObject({ ok: false, problems: [{ code: 'WORKFLOW_MISSING' }] });
  const bad = write('bad.mjs', `export default { definition: { name: 'x', stages: [] }, routeMessage() {} };\n`);
  const loaded = await loadWorkflowFile(bad, { file: 'bad.mjs' });
  expect(loaded).toMatchObject({
    ok: false,
    problems: expect.arrayContaining([expect.objectContaining({ file: 'bad.mjs' })]),
  });
});

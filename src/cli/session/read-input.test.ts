import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import type { Workflow } from '../../core/workflow.ts';
import { build, end } from '../../host/testing/build-definition.ts';
import { openTerminal } from '../terminal/terminal.ts';
import { readInput } from './read-input.ts';

function terminalIn(folder: string) {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  return openTerminal({ stdin, stdout, stderr, environment: {}, folder });
}

const workflow: Workflow = {
  ...build({ states: [end('done')] }).workflow,
  inputs: [{ name: 'task', type: 'string', description: '', required: true }],
};

test('[U1] --input-file is found from the folder of the command, wherever the process runs', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'troupe-input-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'task.md'), 'From the file.');
  const read = (file: string) => readInput({ text: undefined, fields: [], file }, workflow, terminalIn(folder));
  expect(await read('task.md')).toEqual({ task: 'From the file.' });
  // It is named as the user typed it.
  await expect(read('none.md')).rejects.toMatchObject({ problems: [{ file: 'none.md', code: 'SOURCE_UNREADABLE' }] });
});

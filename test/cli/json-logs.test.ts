import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { logPlace } from '../../src/app/observers/logs/log-file.ts';
import type { LogLine } from '../../src/protocol/log-lines/log-line.ts';
import { WRITING, writingProject } from './file-projects.ts';
import { ASK_THEN_WORK, scriptedProject } from './projects.ts';
import { jsonLines, type Sandbox } from './sandbox.ts';

const DOCUMENT_FIELDS = [
  'timestamp',
  'level',
  'agent_id',
  'workflow_id',
  'event',
  'tool',
  'file',
  'duration_ms',
  'status',
];

const runOf = (stdout: string): string => String(jsonLines(stdout)[0]?.['run']).split('/')[0] ?? '';

const linesIn = (path: string): readonly LogLine[] =>
  jsonLines(readFileSync(path, 'utf8')) as unknown as readonly LogLine[];

const texts = (lines: readonly object[]): readonly string[] => lines.map((line) => JSON.stringify(line)).toSorted();

/** The files hold exactly what `logs --json-lines` says, which is the fold of the journal. */
async function expectWhole(sandbox: Sandbox, run: string): Promise<readonly LogLine[]> {
  const place = logPlace(sandbox.home, run);
  const printed = jsonLines((await sandbox.troupe(['logs', run, '--json-lines'])).stdout);
  expect(texts(linesIn(place.workflow))).toEqual(texts(printed));
  const folder = join(place.folder, 'agents');
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const agent = name.replace(/\.log$/, '');
    const own = jsonLines((await sandbox.troupe(['logs', run, '--json-lines', '--agent', agent])).stdout);
    expect(texts(linesIn(place.agent(agent)))).toEqual(texts(own));
    expect(texts(own)).toEqual(texts(printed.filter((line) => line['agent_id'] === agent)));
  }
  return linesIn(place.workflow);
}

test('[PH8] a run leaves JSON lines by run and by agent, with the fields of the document', async () => {
  const sandbox = writingProject();
  const { stdout, stderr } = await sandbox.troupe(['run', 'two_steps', 'A secret wish', '--json']);
  const run = runOf(stdout);
  const lines = await expectWhole(sandbox, run);
  for (const line of lines) expect(Object.keys(line).slice(0, DOCUMENT_FIELDS.length)).toEqual(DOCUMENT_FIELDS);
  expect(lines.filter(({ event }) => event === 'tool_call')).toMatchObject([
    {
      level: 'INFO',
      agent_id: 'worker',
      workflow_id: run,
      tool: 'write_file',
      file: 'src/made.txt',
      status: 'success',
    },
    { tool: 'edit_file', file: 'src/kept.txt' },
    { tool: 'write_file', file: 'src/made.txt' },
  ]);
  expect(lines[0]).toMatchObject({ event: 'workflow_started', workflow: 'two_steps' });
  expect(lines.map(({ event }) => event)).toContain('workflow_completed');
  expect(JSON.stringify(lines)).not.toMatch(/secret wish|made by the run/);
  expect(stderr).not.toMatch(/\blogs?\b/);
  expect(statSync(logPlace(sandbox.home, run).workflow).mode & 0o077).toBe(0);
});

test('[PH8] [L6] killed with -9 at any record and gone on with, no line is missing and none is there twice', async () => {
  const sandbox = writingProject();
  for (const killAt of [2, 5, 9, 13]) {
    // However late it is killed, it has not come to its end.
    sandbox.write('answers.yaml', WRITING.replace('- say: Done.', '- { hang: true }'));
    const { child, lines, ended } = sandbox.start(['run', 'two_steps', 'x', '--json']);
    let run = '';
    for (let count = 0; count < killAt;) {
      const value = String((await lines.next()).value);
      run = runOf(value);
      count += 1;
    }
    child.kill('SIGKILL');
    await ended;
    sandbox.write('answers.yaml', WRITING);
    const resumed = await sandbox.troupe(['resume', run]);
    expect({ killAt, code: resumed.code }).toEqual({ killAt, code: 0 });
    await expectWhole(sandbox, run);
  }
}, 120_000);

test('[PH8] a run that waits, is answered, forked, rolled back and merged keeps its logs whole', async () => {
  const sandbox = scriptedProject({ 'asking.ts': ASK_THEN_WORK });
  const asked = await sandbox.troupe(['run', 'asking.ts', '--json', '--no-input']);
  const run = runOf(asked.stdout);
  expect((await expectWhole(sandbox, run)).map(({ event }) => event)).toContain('question_started');
  await sandbox.troupe(['answer', run, 'red']);
  expect((await expectWhole(sandbox, run)).map(({ event }) => event)).toContain('question_answered');
  const forked = await sandbox.troupe(['fork', run, '--at', 'work', '--json']);
  expect(forked.code).toBe(0);
  const fork =
    jsonLines(forked.stdout)
      .map((line) => String(line['run']))
      .find((id) => id !== run && id !== 'undefined') ?? '';
  expect((await expectWhole(sandbox, fork))[0]).toMatchObject({ event: 'workflow_forked', workflow_id: fork });
  await sandbox.troupe(['rollback', run, '--to', 'work', '--conversation', '--yes']);
  expect((await expectWhole(sandbox, run)).map(({ event }) => event)).toContain('workflow_rolled_back');
}, 60_000);

test('[PH8] logs that are gone are still printed, and are not made again by somebody who looks', async () => {
  const sandbox = writingProject();
  const run = runOf((await sandbox.troupe(['run', 'two_steps', 'x', '--json'])).stdout);
  const before = (await sandbox.troupe(['logs', run, '--json-lines'])).stdout;
  rmSync(logPlace(sandbox.home, run).folder, { recursive: true });
  expect((await sandbox.troupe(['logs', run, '--json-lines'])).stdout).toBe(before);
  await sandbox.troupe(['diff', run]);
  expect(existsSync(logPlace(sandbox.home, run).folder)).toBe(false);
});

test('[L3] an agent that is not there is refused', async () => {
  const sandbox = scriptedProject();
  await sandbox.troupe(['run', 'two_steps', 'x']);
  const result = await sandbox.troupe(['logs', 'last', '--json-lines', '--agent', 'nobody']);
  expect(result).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('AGENT_UNKNOWN') });
});

import { expect, test, vi } from 'vitest';
import { scriptedProject } from '../cli/projects.ts';
import { createSandbox } from '../cli/sandbox.ts';
import { openMcp } from './mcp-client.ts';

// Each call of a tool may be a process or two, on machines that may be busy with others.
vi.setConfig({ testTimeout: 90_000 });

test('[U9] what cannot be started says why, with a code and what helps', async () => {
  const { call } = await openMcp(scriptedProject());
  const unknown = await call('start_run', { workflow: 'two_stepz', input: { task: 'x' } });
  expect(unknown.error).toMatchObject({ code: 'WORKFLOW_UNKNOWN', hint: expect.stringContaining('two_steps') });
  expect((await call('start_run', { workflow: 'two_steps', input: { wrong: 'x' } })).error?.code).toBe('INPUT_INVALID');
  expect((await call('start_run', { workflow: '--version' })).error?.code).toBe('WORKFLOW_UNKNOWN');
  expect((await call('start_run', { workflow: 'two_steps', input: { '--x=1': 'x' } })).error?.code).toBe(
    'REQUEST_INVALID',
  );
  expect((await call('start_run', { workflow: 'two_steps', extra: 1 })).error?.message).toContain('extra');
});

test('[U9] a run that is not there, a tool that is not there, a call without sense', async () => {
  const { call, client } = await openMcp(scriptedProject());
  for (const tool of ['run_status', 'wait_run', 'run_result', 'cancel_run']) {
    expect((await call(tool, { run: 'nothing' })).error).toMatchObject({ code: 'RUN_UNKNOWN' });
    expect((await call(tool, { run: 7 })).error).toMatchObject({ code: 'REQUEST_INVALID' });
  }
  expect((await call('answer_question', { run: 'nothing', question: 'q1', text: 'x' })).error?.code).toBe(
    'RUN_UNKNOWN',
  );
  expect((await call('list_runs', { after: 'gone' })).error?.code).toBe('RUN_UNKNOWN');
  // A changed definition could drop what a person has to approve.
  expect((await call('resume_run', { run: 'nothing', definition: 'new' })).error?.code).toBe('REQUEST_INVALID');
  // A check or a file of the agent's choice would get around the person.
  for (const given of [{ verify: 'true' }, { allow: ['unverified'] }, { to: { kind: 'patch', file: 'x.patch' } }])
    expect((await call('deliver_run', { run: 'nothing', ...given })).error?.code).toBe('REQUEST_INVALID');
  // No result of a tool that is not there: the request itself is wrong.
  await expect(client.callTool({ name: 'format_disk', arguments: {} })).rejects.toMatchObject({
    code: -32602,
    message: expect.stringContaining('TOOL_UNKNOWN'),
  });
});

test('[U9] what a module of the project prints does not get into the conversation', async () => {
  const sandbox = scriptedProject({
    '.troupe/workflows/loud.ts': `import { defineWorkflow } from 'troupe';
console.log('I am loud');
process.stdout.write('very loud');
export const loud = defineWorkflow({ name: 'loud', data: {}, states: { start: { kind: 'end' } } });
`,
  });
  await sandbox.troupe(['trust', '--yes']);
  const { call } = await openMcp(sandbox);
  const { workflows } = (await call('list_workflows')) as { workflows: { name: string }[] };
  expect(workflows.map(({ name }) => name)).toContain('loud');
});

test('[U9] the project may be named, for clients that start servers anywhere', async () => {
  const sandbox = scriptedProject();
  const { call } = await openMcp(sandbox, { words: [sandbox.project], folder: sandbox.home });
  expect(await call('list_workflows')).toMatchObject({ project: sandbox.project });
  const nowhere = await createSandbox().troupe(['mcp', 'nowhere', '--json']);
  expect([nowhere.code, nowhere.stdout]).toEqual([2, '']);
  expect(nowhere.stderr).toContain('FOLDER_MISSING');
});

test('[U9] it ends when its input does', async () => {
  const { code, stdout } = await scriptedProject().troupe(['mcp']);
  expect([code, stdout]).toEqual([0, '']);
});

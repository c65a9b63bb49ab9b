import { describe, expect, test, vi } from 'vitest';
import { ASKING, ASK_THEN_WORK, scriptedProject } from '../cli/projects.ts';
import { gitProject, writingRun } from '../cli/file-projects.ts';
import { jsonLines } from '../cli/sandbox.ts';
import { serve } from '../web/server/served.ts';
import { openMcp, type McpSession, type ToolAnswer } from './mcp-client.ts';

// Each call of a tool may be a process or two, on machines that may be busy with others.
vi.setConfig({ testTimeout: 90_000 });

const ERAS = { '2025': { mode: 'legacy' }, '2026-07-28': { mode: { pin: '2026-07-28' } } } as const;

/** Until it is not running any more, however slow this machine is. */
async function waited({ call }: McpSession, run: unknown): Promise<ToolAnswer> {
  for (;;) {
    const report = await call('wait_run', { run });
    if (report['status'] !== 'running') return report;
  }
}

describe.each(Object.entries(ERAS))('[U9] another agent that speaks MCP of %s', (_era, negotiation) => {
  test('finds a workflow, starts it, answers what it asks and gets what came out', async () => {
    const sandbox = scriptedProject({ '.troupe/workflows/asking.ts': ASK_THEN_WORK });
    await sandbox.troupe(['trust', '--yes']);
    const session = await openMcp(sandbox, { negotiation, words: ['--allow-approvals'] });
    const { workflows } = (await session.call('list_workflows')) as { workflows: { name: string }[] };
    expect(workflows.find(({ name }) => name === 'two_steps')).toMatchObject({
      origin: 'project',
      inputSchema: { type: 'object', properties: { task: { type: 'string' } }, additionalProperties: false },
    });
    const started = await session.call('start_run', { workflow: 'asking' });
    expect(started).toMatchObject({
      workflow: 'asking',
      page: null,
      handle: `troupe://runs/${String(started['run'])}`,
    });
    const { run } = started;
    expect(await waited(session, run)).toMatchObject({
      status: 'waiting',
      outcome: null,
      questions: [{ question: 'q1', kind: 'ask', text: 'Which colour?', choices: ['red', 'blue'] }],
    });
    expect((await session.call('run_result', { run })).error?.code).toBe('RUN_OPEN');
    expect((await session.call('answer_question', { run, question: 'q1', text: 'green' })).error?.code).toBe(
      'ANSWER_INVALID',
    );
    await session.call('answer_question', { run, question: 'q1', text: 'blue' });
    expect(await waited(session, run)).toMatchObject({ status: 'settled', outcome: 'ok' });
    expect(await session.call('run_result', { run })).toMatchObject({ outcome: 'ok', output: 'Done: Work' });
    expect((await session.call('answer_question', { run, question: 'q1', text: 'red' })).error?.code).toBe(
      'QUESTION_CLOSED',
    );
  });
});

test('[U9] the journal says that a program spoke and answered, and which', async () => {
  const sandbox = scriptedProject({ 'asking.ts': ASK_THEN_WORK });
  const session = await openMcp(sandbox, { words: ['--allow-approvals'] });
  const { run } = await session.call('start_run', { workflow: 'asking.ts' });
  await waited(session, run);
  const unknown = await session.call('tell_agent', { run, agent: 'cook', text: 'Hello' });
  expect(unknown.error).toMatchObject({ code: 'AGENT_UNKNOWN', hint: 'It has: worker.' });
  await session.call('tell_agent', { run, agent: 'worker', text: '--json' });
  await session.call('answer_question', { run, question: 'q1', text: 'red' });
  await waited(session, run);
  const { stdout } = await sandbox.troupe(['logs', String(run), '--json']);
  const spoken = jsonLines(stdout).filter(({ by }) => by === 'a-test by MCP');
  expect(spoken).toMatchObject([
    { kind: 'message.added', message: { to: 'worker', content: '--json' } },
    { kind: 'question.answered', answer: 'red', via: 'mcp' },
  ]);
});

test('[V3] an agent that drives Troupe over MCP approves nothing, unless its user allowed it when starting the server', async () => {
  const sandbox = scriptedProject({ 'asking.ts': ASK_THEN_WORK });
  const session = await openMcp(sandbox);
  const { run } = await session.call('start_run', { workflow: 'asking.ts' });
  expect(await waited(session, run)).toMatchObject({ questions: [{ question: 'q1', isApproval: true }] });
  const { error } = await session.call('answer_question', { run, question: 'q1', text: 'red' });
  expect(error).toMatchObject({
    code: 'APPROVAL_BY_PERSON',
    hint: expect.stringContaining(`troupe answer ${String(run)} q1 red`),
  });
  expect(await session.call('run_status', { run })).toMatchObject({ status: 'waiting' });
});

test('[U9] a run goes on when the agent that started it hangs up, and another finds it', async () => {
  const sandbox = scriptedProject();
  const first = await openMcp(sandbox);
  const { run } = await first.call('start_run', { workflow: 'two_steps', input: { task: '--help "me"\n$(x)' } });
  await first.client.close();
  const second = await openMcp(sandbox);
  expect(await waited(second, run)).toMatchObject({ status: 'settled', outcome: 'ok' });
  const { runs } = (await second.call('list_runs')) as { runs: ToolAnswer[] };
  expect(runs.map((report) => [report['run'], report['status']])).toEqual([[run, 'settled']]);
  expect(await second.call('run_result', { run })).toMatchObject({ output: 'Done.' });
});

test('[U9] a wait is over when its time is, also where nothing happened', async () => {
  const sandbox = scriptedProject({ 'asking.ts': ASKING });
  const session = await openMcp(sandbox);
  const { run } = await session.call('start_run', { workflow: 'asking.ts' });
  expect(await session.call('wait_run', { run, seconds: 0 })).toMatchObject({ run });
  expect((await session.call('wait_run', { run, seconds: 61 })).error?.code).toBe('REQUEST_INVALID');
});

test('[U9] [R2] a run is cancelled for a reason, and the journal names who wanted it', async () => {
  const sandbox = scriptedProject({ 'asking.ts': ASKING });
  const session = await openMcp(sandbox);
  const { run } = await session.call('start_run', { workflow: 'asking.ts' });
  await waited(session, run);
  expect(await session.call('cancel_run', { run, reason: 'not needed' })).toMatchObject({
    status: 'settled',
    outcome: 'cancelled',
  });
  expect((await session.call('cancel_run', { run })).error?.code).toBe('RUN_SETTLED');
  const { stdout } = await sandbox.troupe(['watch', String(run), '--json']);
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(JSON.stringify(lines.find(({ kind }) => kind === 'run.cancelled'))).toMatch(/not needed/);
  expect(stdout).toContain('a-test by MCP');
});

test('[U9] [L10] a run that met its limit asks, and goes on with a higher one only', async () => {
  const sandbox = scriptedProject();
  const session = await openMcp(sandbox);
  const given = { workflow: 'two_steps', input: { task: 'x' }, limits: { tokens: 1 } };
  const { run } = await session.call('start_run', given);
  const met = { status: 'paused', questions: [{ kind: 'limit' }], next: expect.stringContaining('answer_question') };
  expect(await waited(session, run)).toMatchObject(met);
  await session.call('resume_run', { run });
  expect(await waited(session, run)).toMatchObject(met);
  expect((await session.call('resume_run', { run, limits: { tokens: -1 } })).error?.code).toBe('REQUEST_INVALID');
  await session.call('resume_run', { run, limits: { tokens: 1_000_000 } });
  expect(await waited(session, run)).toMatchObject({ status: 'settled', outcome: 'ok' });
  expect((await session.call('resume_run', { run })).error?.code).toBe('RUN_SETTLED');
});

test('[U9] a run that somebody paused goes on, and another begins from one of its steps', async () => {
  const sandbox = scriptedProject({ 'asking.ts': ASK_THEN_WORK });
  const session = await openMcp(sandbox, { words: ['--allow-approvals'] });
  const { run } = await session.call('start_run', { workflow: 'asking.ts' });
  await waited(session, run);
  await sandbox.troupe(['pause', String(run), '--reason', 'lunch']);
  expect(await session.call('run_status', { run })).toMatchObject({ status: 'paused' });
  await session.call('resume_run', { run });
  expect(await waited(session, run)).toMatchObject({ status: 'waiting', questions: [{ question: 'q1' }] });
  expect((await session.call('answer_question', { run, question: 'q1', text: 'red' })).error).toBeUndefined();
  expect(await waited(session, run)).toMatchObject({ status: 'settled' });
  const forked = await session.call('fork_run', { run, at: 'work', title: 'Once more' });
  expect(forked).toMatchObject({ title: 'Once more', workflow: 'asking' });
  expect(forked['run']).not.toBe(run);
  expect(await waited(session, forked['run'])).toMatchObject({ status: 'settled', outcome: 'ok' });
  expect((await session.call('fork_run', { run, at: 'nowhere' })).error?.code).toBe('STEP_UNKNOWN');
  expect((await session.call('resume_run', { run: 'nothing' })).error?.code).toBe('RUN_UNKNOWN');
});

test('[U9] changed files and large outputs are linked, and can be read as resources', async () => {
  const sandbox = gitProject();
  const { run } = await writingRun(sandbox);
  const session = await openMcp(sandbox);
  const result = await session.client.callTool({ name: 'run_result', arguments: { run } });
  expect(result.structuredContent).toMatchObject({
    files: expect.arrayContaining([{ path: 'src/made.txt', change: 'added' }]),
  });
  const links = result.content.flatMap((block) => (block.type === 'resource_link' ? [block.uri] : []));
  expect(links).toContain(`troupe://runs/${run}/changes`);
  const [changes] = (await session.client.readResource({ uri: `troupe://runs/${run}/changes` })).contents;
  expect(changes).toMatchObject({ mimeType: 'text/x-diff', text: expect.stringContaining('+++ b/src/made.txt') });
  const { resources } = await session.client.listResources();
  expect(resources.map(({ uri }) => uri)).toContain(`troupe://runs/${run}`);
  await expect(session.client.readResource({ uri: 'troupe://runs/nothing/output' })).rejects.toThrow('RUN_UNKNOWN');
  await expect(session.client.readResource({ uri: 'troupe://runs/%/x' })).rejects.toThrow('RESOURCE_UNKNOWN');
  await expect(session.client.readResource({ uri: 'file:///etc/passwd' })).rejects.toThrow('RESOURCE_UNKNOWN');
});

test('[U9] an output that is too long for a conversation is a resource', async () => {
  const sandbox = scriptedProject({
    'long.ts': `import { defineWorkflow } from 'troupe';
export const long = defineWorkflow({
  name: 'long', data: {},
  states: { start: { transitions: ['done'] }, done: { kind: 'end', output: "'beginning ' + 'x'.repeat(50000)" } },
});
`,
  });
  const session = await openMcp(sandbox);
  const { run } = await session.call('start_run', { workflow: 'long.ts' });
  await waited(session, run);
  const result = await session.call('run_result', { run });
  expect([result['output'], String(result['outputBeginning']).length]).toEqual([null, 2000]);
  const [output] = (await session.client.readResource({ uri: `troupe://runs/${String(run)}/output` })).contents;
  expect(output !== undefined && 'text' in output ? output.text.length : 0).toBe(50_010);
});

test('[U9] where a page is open every answer has the way to the run in it, without the token', async () => {
  const sandbox = scriptedProject();
  const page = await serve(sandbox);
  const session = await openMcp(sandbox);
  const { run, page: url } = await session.call('start_run', { workflow: 'two_steps', input: { task: 'x' } });
  expect(url).toBe(`http://127.0.0.1:${page.port}/runs/${String(run)}`);
  page.running.child.kill('SIGKILL');
  await page.running.ended;
  expect((await session.call('run_status', { run }))['page']).toBeNull();
});

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lineOf, WAIT } from './file-projects.ts';
import { GOOD, HALF, phaseProject, runPhases, widest } from './phase-project.ts';
import { scriptedProject } from './projects.ts';
import { jsonLines } from './sandbox.ts';

const summary = (line: Readonly<Record<string, unknown>>): string =>
  line['kind'] === 'handoff'
    ? `handoff ${String(line['from_agent'])}>${String(line['to_agent'])}`
    : `${String(line['type'])} ${String(line['sender'])}>${String(line['receiver'])}`;

test('[PH5] handoffs and messages in order, those of a phase under one correlation id', async () => {
  const sandbox = phaseProject(GOOD);
  const { run } = await runPhases(sandbox);
  const [{ items } = { items: [] }] = jsonLines((await sandbox.troupe(['messages', 'last', '--json'])).stdout);
  const lines = items as ReturnType<typeof jsonLines>;
  expect(lines.map(summary)).toEqual([
    'command orchestrator>planning',
    'status planning>orchestrator',
    'result planning>orchestrator',
    'handoff planning>execution',
    'command orchestrator>execution',
    'result execution>orchestrator',
    'handoff execution>verification',
    'command orchestrator>verification',
    'result verification>orchestrator',
  ]);
  const groups = new Set(lines.map(({ correlation_id: id }) => String(id)));
  expect([...groups].map((id) => id.replace(/\/t\d+\//, '/'))).toEqual([
    `${run}/planning`,
    `${run}/execution`,
    `${run}/verification`,
  ]);
  expect(lines[1]).toMatchObject({
    payload: { status: 'in_progress', progress: 0.45, message: 'Analyzing codebase...' },
  });
  expect(lines[3]).toMatchObject({ artifacts: ['specs/hello_plan.md', 'specs/hello_tasks.json'] });
  expect(new Set(lines.map(({ id }) => id)).size).toBe(lines.length);
});

test('[PH5] for people they fit a plain terminal; --follow ends when no process drives the run', async () => {
  const sandbox = phaseProject(HALF);
  await runPhases(sandbox);
  const { stdout } = await sandbox.troupe(['messages', 'last']);
  expect(widest(stdout)).toBeLessThanOrEqual(80);
  expect(stdout).toMatch(/^\d\d:\d\d:\d\d {2}command {2}orchestrator → planning\n {10}action: planning\n/);
  expect(stdout).toContain(
    'handoff  planning → execution\n          artifacts: specs/hello_plan.md, specs/hello_tasks.json\n',
  );
  expect(stdout).toMatch(/error {4}execution → orchestrator\n {10}error_type: OUTPUT_MISSING\n/);
  expect((await sandbox.troupe(['messages', 'last', '--follow'])).stdout).toBe(stdout);
});

test('[PH5] --follow tells them while the run is under way, each once', async () => {
  const waits = `- tools: [{ name: execute_terminal, arguments: { command: "${WAIT}" } }]\n      - Built.`;
  const sandbox = phaseProject(GOOD.replace('- Built.', waits));
  const input = ['--input', 'user_request=Say hello', '--input', 'feature_name=hello'];
  const running = sandbox.start(['run', 'two_phase_feature.yml', ...input, '--json']);
  const { run } = await lineOf(running, 'handoff.made');
  const following = sandbox.start(['messages', String(run), '--follow', '--json']);
  const root = String(run).split('/')[0] ?? '';
  const all = sandbox.start(['messages', root, '--follow', '--json']);
  for (let line = ''; line !== 'command orchestrator>execution';) {
    const { value } = await all.lines.next();
    line = summary(JSON.parse(String(value)) as Readonly<Record<string, unknown>>);
  }
  const { folder } = JSON.parse((await sandbox.troupe(['show', root, '--json'])).stdout) as { readonly folder: string };
  writeFileSync(join(folder, 'go'), '');
  expect((await running.ended).code).toBe(0);
  expect(jsonLines((await all.ended).stdout).map(summary)).toHaveLength(9);
  expect(jsonLines((await following.ended).stdout).map(summary)).toEqual([
    'handoff planning>execution',
    'command orchestrator>execution',
    'result execution>orchestrator',
  ]);
});

test('a run without messages says so, and a run that is none is bad usage', async () => {
  const sandbox = scriptedProject();
  await sandbox.troupe(['run', 'two_steps', 'x']);
  const none = { code: 0, stdout: '' };
  expect(await sandbox.troupe(['messages', 'last'])).toMatchObject({
    ...none,
    stderr: expect.stringContaining('no messages'),
  });
  const listed = await sandbox.troupe(['messages', 'last', '--json']);
  expect(JSON.parse(listed.stdout)).toMatchObject({ kind: 'messages', items: [], next: null });
  expect(await sandbox.troupe(['messages', 'nothing'])).toMatchObject({ code: 2, stdout: '' });
});

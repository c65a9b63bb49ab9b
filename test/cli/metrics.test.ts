import { expect, test } from 'vitest';
import type { MetricsView } from '../../src/protocol/metrics/metrics-view.ts';
import { writingProject } from './file-projects.ts';
import { endingWorkflow, scriptedProject } from './projects.ts';
import type { Sandbox } from './sandbox.ts';

async function metrics(sandbox: Sandbox, ...words: readonly string[]): Promise<MetricsView> {
  const { stdout } = await sandbox.troupe(['metrics', ...words, '--json']);
  return JSON.parse(stdout) as MetricsView;
}

test('[PH8] metrics of a run: durations, agents, tools by agent, tokens, cost', async () => {
  const sandbox = writingProject();
  await sandbox.troupe(['run', 'two_steps', 'x']);
  const view = await metrics(sandbox, 'last');
  expect(view).toMatchObject({
    kind: 'metrics',
    since: null,
    runs: [{ workflow: 'two_steps', outcome: 'ok', status: 'settled' }],
    outcomes: { ok: 1 },
    successRate: 1,
    phases: [
      { phase: 'start', outcomes: { ok: 1 } },
      { phase: 'again', outcomes: { ok: 1 } },
    ],
    agentsSpawned: 1,
    tasks: { count: 2, outcomes: { ok: 2 } },
    agents: [{ agent: 'worker', turns: { count: 2 }, tools: { calls: 3, ok: 3, successRate: 1 } }],
    tools: [
      { tool: 'write_file', agent: 'worker', calls: 2, ok: 2 },
      { tool: 'edit_file', calls: 1 },
    ],
    models: [{ model: 'base', calls: 4 }],
    errors: [],
    costUsd: 0,
  });
  const shown = JSON.parse((await sandbox.troupe(['show', 'last', '--json'])).stdout) as MetricsView;
  expect(view.usage).toEqual(shown.usage);
  const { stdout } = await sandbox.troupe(['metrics', 'last']);
  expect(stdout).toMatch(/^write_file +worker +2 +2 +0 +0 +\S/m);
  for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
});

test('[PH8] metrics of a project: all its runs, those of a time, and those of all projects', async () => {
  const sandbox = scriptedProject({ 'bad.ts': endingWorkflow('failed') });
  const other = scriptedProject();
  await other.troupe(['run', 'two_steps', 'x'], { environment: { TROUPE_HOME: sandbox.home } });
  await sandbox.troupe(['run', 'two_steps', 'x']);
  await sandbox.troupe(['run', 'bad.ts']);
  expect(await metrics(sandbox)).toMatchObject({ outcomes: { ok: 1, failed: 1 }, successRate: 0.5, errorRate: 0.5 });
  expect((await metrics(sandbox, '--all')).runs).toHaveLength(3);
  expect((await metrics(sandbox, '--since', '1h')).runs).toHaveLength(2);
  const none = await metrics(sandbox, '--since', '0s');
  expect(none).toMatchObject({ runs: [], successRate: null, since: expect.any(Number) });
  const text = (await sandbox.troupe(['metrics'])).stdout;
  expect(text).toContain('2 runs; ');
  expect(text).toContain('success    50 %, errors 50 %');
  for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
});

test('[PH8] metrics in the text format of Prometheus', async () => {
  const sandbox = scriptedProject();
  await sandbox.troupe(['run', 'two_steps', 'x']);
  const { stdout, code } = await sandbox.troupe(['metrics', '--prometheus']);
  expect(code).toBe(0);
  expect(stdout).toContain(
    '# TYPE troupe_runs_total counter\ntroupe_runs_total{workflow="two_steps",outcome="ok"} 1\n',
  );
  expect(stdout).toContain('troupe_turns_total{agent="worker",outcome="ok"} 2\n');
});

test('[PH8] without runs there is nothing to count, and that is said', async () => {
  const sandbox = scriptedProject();
  expect(await sandbox.troupe(['metrics'])).toMatchObject({ code: 0, stdout: 'No runs yet.\n' });
  expect(await metrics(sandbox)).toMatchObject({ runs: [], tasks: { count: 0 }, costUsd: 0 });
  expect((await sandbox.troupe(['metrics', '--prometheus'])).code).toBe(0);
});

test.each([
  [['metrics', 'nothing'], 'RUN_UNKNOWN'],
  [['metrics', '--since', '7'], 'is not a length of time'],
  [['metrics', 'last', '--since', '7d'], '--since chooses among runs'],
  [['metrics', '--json', '--prometheus'], '--json and --prometheus'],
])('[L10] bad usage is refused: troupe %j', async (words, told) => {
  const result = await scriptedProject().troupe(words);
  expect(result.code).toBe(2);
  expect(result.stdout + result.stderr).toContain(told);
});

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
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

test('[PH8] the process that drives a run keeps its figures, so that its records are not read for metrics', async () => {
  const sandbox = scriptedProject();
  await sandbox.troupe(['run', 'two_steps', 'x']);
  await sandbox.troupe(['run', 'two_steps', 'y']);
  const file = join(sandbox.home, 'metrics.txt');
  const written = readFileSync(file, 'utf8');
  rmSync(file);
  const { until: _first, ...counted } = await metrics(sandbox);
  expect(readFileSync(file, 'utf8').split('\n').toSorted()).toEqual(written.split('\n').toSorted());
  writeFileSync(file, written);
  // Nothing but the kept figures is left to read.
  changeJournal(sandbox, 'DELETE FROM records');
  const { until: _second, ...kept } = await metrics(sandbox);
  expect(kept).toEqual(counted);
  rmSync(file);
  expect((await metrics(sandbox)).unreadable).toHaveLength(2);
});

test('[PH8] a rollback after the end is counted, though the figures of the run were kept', async () => {
  const sandbox = scriptedProject();
  await sandbox.troupe(['run', 'two_steps', 'x']);
  await sandbox.troupe(['run', 'two_steps', 'y']);
  expect(await metrics(sandbox)).toMatchObject({ outcomes: { ok: 2 }, tasks: { count: 4 } });
  const rolled = await sandbox.troupe(['rollback', 'last', '--to', '1', '--yes']);
  expect(rolled).toMatchObject({ code: 0 });
  const { until: _kept, ...kept } = await metrics(sandbox);
  expect(kept).toMatchObject({ outcomes: { ok: 1 } });
  rmSync(join(sandbox.home, 'metrics.txt'));
  const { until: _again, ...again } = await metrics(sandbox);
  expect(again).toEqual(kept);
});

test('[J4] damage is reported by the commands that read the records, and figures counted before it stay true', async () => {
  const sandbox = scriptedProject();
  await sandbox.troupe(['run', 'two_steps', 'x']);
  await sandbox.troupe(['run', 'two_steps', 'y']);
  const damage = (): void =>
    changeJournal(sandbox, "UPDATE records SET body = replace(body, 'two_steps', 'six_steps')");
  damage();
  rmSync(join(sandbox.home, 'metrics.txt'));
  const first = await sandbox.troupe(['metrics']);
  expect(first).toMatchObject({ code: 0, stdout: 'No run could be counted.\n' });
  expect(first.stderr).toContain('not counted, because their journals cannot be read');
  changeJournal(sandbox, "UPDATE records SET body = replace(body, 'six_steps', 'two_steps')");
  expect(await metrics(sandbox)).toMatchObject({ outcomes: { ok: 2 }, unreadable: [] });
  damage();
  expect(await metrics(sandbox)).toMatchObject({ outcomes: { ok: 2 }, unreadable: [] });
  for (const words of [['metrics', 'last'], ['show', 'last'], ['doctor']]) {
    const { stdout, stderr } = await sandbox.troupe(words);
    expect(stdout + stderr).toContain('is damaged');
  }
});

function changeJournal(sandbox: Sandbox, sql: string): void {
  const database = new DatabaseSync(join(sandbox.home, 'journal.db'));
  database.exec(sql);
  database.close();
}

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
])('[L10] bad usage is refused: troupe %j', async (words, message) => {
  const result = await scriptedProject().troupe(words);
  expect(result.code).toBe(2);
  expect(result.stdout + result.stderr).toContain(message);
});

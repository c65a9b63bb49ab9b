import { expect, test } from 'vitest';
import { NO_RESULT } from '../../core/look/result-state.ts';
import type { Fact } from '../../core/record/fact.ts';
import { Metrics, type CountedRun } from './metrics.ts';

const USAGE = { inputTokens: 10, outputTokens: 2, cacheReadTokens: 4, cacheWriteTokens: 1, calls: 1 };
const failure = (code: string): object => ({ code, message: code, class: 'server' });

interface Written {
  readonly run: string;
  readonly fact: object;
  readonly isInherited?: boolean;
}

/** Records a second apart, each with the next number of its run. */
function counted(run: string, written: readonly Written[]): CountedRun {
  const seqs = new Map<string, number>();
  const records = written.map(({ run: own, fact, isInherited = false }, index) => {
    const seq = (seqs.get(own) ?? 0) + 1;
    seqs.set(own, seq);
    return { run: own, isInherited, record: { seq, at: 1000 * (index + 1), fact: fact as Fact } };
  });
  return { run, title: 'x', project: '/p', status: 'settled', driven: false, result: NO_RESULT, records };
}

const of = (run: string, ...facts: readonly object[]): readonly Written[] => facts.map((fact) => ({ run, fact }));

const started = (run: string, workflow = 'flow'): object => ({
  kind: 'run.started',
  run,
  workflow,
  data: {},
  input: {},
  contexts: [],
  limits: {},
  project: '/p',
});
const entered = (state: string, from: string | null = null, outcome = 'ok'): object => ({
  kind: 'state.entered',
  state,
  visit: 1,
  from: from === null ? null : { state: from, outcome, transition: 0 },
  patch: null,
});
const task = (id: string, work: object, place: object = {}): object => ({
  kind: 'task.started',
  task: id,
  state: 'plan',
  pool: null,
  unit: null,
  work,
  deadline: null,
  ...place,
});
const turn = (id: string, agent: string, place: object = {}): object =>
  task(id, { kind: 'turn', agent, context: 'c', input: null }, place);
const ended = (id: string, outcome = 'ok', why: object | null = null, more: object = {}): object => ({
  kind: 'task.ended',
  task: id,
  outcome,
  output: null,
  failure: why,
  ...more,
});
const answered = (
  id: string,
  agent: string,
  toolCalls: readonly object[] = [],
  costUsd: number | null = 0.5,
): object => ({
  kind: 'call.answered',
  task: id,
  call: 1,
  attempt: 1,
  message: { author: agent, role: 'assistant', content: '', toolCalls },
  usage: USAGE,
  costUsd,
  model: 'm1',
  ms: 200,
});
const tool = (id: string, toolCall: string, more: object = {}): object => ({
  kind: 'tool.finished',
  task: id,
  toolCall,
  content: '',
  isError: false,
  ms: 100,
  ...more,
});
const settled = (outcome = 'ok', why: object | null = null): object => ({
  kind: 'run.settled',
  outcome,
  output: null,
  failure: why,
});

function metricsOf(...runs: readonly CountedRun[]) {
  const metrics = new Metrics(100_000);
  for (const run of runs) metrics.add(run);
  return metrics.view();
}

test('[PH8] total and phase durations, agents, tasks, artifacts, tools, models, tokens and cost are counted', () => {
  const view = metricsOf(
    counted(
      'r',
      of(
        'r',
        started('r'),
        entered('plan'),
        turn('t1', 'planner'),
        answered('t1', 'planner', [
          { id: 'a', name: 'read_file', arguments: {} },
          { id: 'b', name: 'read_file', arguments: {} },
          { id: 'c', name: 'shell', arguments: {} },
        ]),
        tool('t1', 'a'),
        tool('t1', 'b', { isError: true, ms: 300 }),
        tool('t1', 'c', { isError: true, refused: 'TOOL_NOT_ALLOWED' }),
        { kind: 'artifact.recorded', task: 't1', artifact: { type: 'plan' } },
        ended('t1'),
        entered('stop', 'plan'),
        settled(),
      ),
    ),
  );
  expect(view).toMatchObject({
    runs: [{ run: 'r', workflow: 'flow', outcome: 'ok', durationMs: 10_000 }],
    outcomes: { ok: 1 },
    successRate: 1,
    errorRate: 0,
    durationMs: { total: 10_000, average: 10_000, longest: 10_000 },
    phases: [
      { workflow: 'flow', phase: 'plan', within: null, count: 1, outcomes: { ok: 1 }, durationMs: { total: 8000 } },
    ],
    agentsSpawned: 1,
    artifacts: { total: 1, byType: { plan: 1 } },
    tasks: { count: 1, outcomes: { ok: 1 }, durationMs: { average: 6000 } },
    agents: [
      {
        agent: 'planner',
        turns: { count: 1, durationMs: { average: 6000 } },
        calls: { answered: 1, failed: 0 },
        tools: { calls: 3, ok: 1, failed: 1, refused: 1, successRate: 1 / 3 },
        usage: USAGE,
        costUsd: 0.5,
      },
    ],
    tools: [
      {
        tool: 'read_file',
        agent: 'planner',
        calls: 2,
        ok: 1,
        failed: 1,
        successRate: 0.5,
        durationMs: { average: 200 },
      },
      { tool: 'shell', agent: 'planner', calls: 1, refused: 1 },
    ],
    models: [{ model: 'm1', calls: 1, usage: USAGE, durationMs: { average: 200 } }],
    errors: [],
    usage: USAGE,
    costUsd: 0.5,
  });
});

test('[PH8] units of a pool are separate phases that include their child runs; their cost is counted once', () => {
  const call = task('t2', { kind: 'call', workflow: 'kid', input: {} }, { pool: 't1', unit: 'planning' });
  const spent = { usage: USAGE, costUsd: 0.5 };
  const view = metricsOf(
    counted('r', [
      ...of('r', started('r'), entered('plan'), task('t1', { kind: 'pool' }), call),
      ...of(
        'r/t2',
        started('r/t2', 'kid'),
        entered('work'),
        turn('t1', 'planner'),
        answered('t1', 'planner'),
        ended('t1'),
        settled(),
      ),
      ...of('r', ended('t2', 'ok', null, spent), ended('t1'), settled()),
    ]),
  );
  expect(view.phases).toMatchObject([
    { phase: 'plan', within: null, durationMs: { total: 11_000 } },
    { phase: 'planning', within: 'plan', durationMs: { total: 7000 } },
  ]);
  expect(view).toMatchObject({ agentsSpawned: 1, usage: USAGE, costUsd: 0.5, tasks: { count: 2 } });
});

test('[PH8] a child that begins a step and calls its own part goes no round', () => {
  const call = (workflow: string): object => task('t2', { kind: 'call', workflow, input: {} });
  const phasesOf = (own: string, called: string) => {
    const begin = task('t1', { kind: 'compute', program: 'step.begin', input: { phase: 'build' } });
    const unit = task('t2', { kind: 'call', workflow: own, input: {} }, { pool: 't1', unit: 'build' });
    const facts = [
      ...of('r', started('r'), entered('plan'), task('t1', { kind: 'pool' }), unit),
      ...of('r/t2', started('r/t2', own), entered('begin'), begin, ended('t1'), call(called), ended('t2'), settled()),
      ...of('r', ended('t2'), ended('t1'), settled()),
    ];
    return metricsOf(counted('r', facts)).phases.map(({ workflow, phase }) => `${workflow} ${phase}`);
  };
  const once = ['flow plan', 'flow build'];
  expect(phasesOf('stages', 'stages/implement')).toEqual(once);
  expect(phasesOf('flow/build', 'other/look')).toEqual(once);
  expect(phasesOf('flow/build', 'flow/look')).toEqual(['flow plan', 'flow look', 'flow build']);
});

test('[PH8] the spending of an active child is counted before the parent records it', () => {
  const call = task('t1', { kind: 'call', workflow: 'kid', input: {} });
  const view = metricsOf(
    counted('r', [
      ...of('r', started('r'), entered('plan'), call),
      ...of('r/t1', started('r/t1', 'kid'), entered('work'), turn('t1', 'planner'), answered('t1', 'planner')),
    ]),
  );
  expect(view).toMatchObject({
    usage: USAGE,
    costUsd: 0.5,
    successRate: null,
    runs: [{ outcome: null, durationMs: 6000 }],
  });
});

test('[PH8] a failure is counted where it arose, not again by those who hand it on', () => {
  const lost = failure('MODEL_LOST');
  const call = task('t1', { kind: 'call', workflow: 'kid', input: {} });
  const failed = { kind: 'call.failed', task: 't1', call: 1, attempt: 1, failure: lost, retryAt: 1 };
  const view = metricsOf(
    counted('r', [
      ...of('r', started('r'), entered('plan'), call),
      ...of('r/t1', started('r/t1', 'kid'), entered('work'), turn('t1', 'coder'), failed, { ...failed, retryAt: null }),
      ...of('r/t1', ended('t1', 'failed', lost), settled('failed', lost)),
      ...of('r', ended('t1', 'failed', lost), settled('failed', lost)),
    ]),
    counted(
      's',
      of(
        's',
        started('s'),
        entered('plan'),
        turn('t1', 'coder'),
        ended('t1', 'timeout', failure('TASK_TIMEOUT')),
        settled('failed', failure('OWN_END')),
      ),
    ),
  );
  expect(view.errors).toEqual([
    { code: 'MODEL_LOST', class: 'server', count: 2 },
    { code: 'TASK_TIMEOUT', class: 'server', count: 1 },
    { code: 'OWN_END', class: 'server', count: 1 },
  ]);
  expect(view).toMatchObject({ successRate: 0, errorRate: 1, outcomes: { failed: 2 } });
  expect(view.agents).toMatchObject([{ agent: 'coder', calls: { answered: 0, failed: 2 } }]);
});

test('[PH8] a fork counts what it did itself', () => {
  const before = of('f', started('f'), entered('plan'), turn('t1', 'planner'), answered('t1', 'planner'));
  const view = metricsOf(
    counted('f', [
      ...before.map((one) => ({ ...one, isInherited: true })),
      ...of('f', { kind: 'run.forked', from: { run: 'r', seq: 4 }, input: {}, by: 'ada' }, ended('t1'), settled()),
    ]),
  );
  expect(view).toMatchObject({ costUsd: 0, agents: [{ turns: { count: 1 }, calls: { answered: 0 } }], models: [] });
  expect(view.runs[0]?.durationMs).toBe(2000);
});

test('[PH8] tools of clients are counted when they are over; a price that is not known stays unknown', () => {
  const item = { id: 'a', kind: 'tool', name: 'Read' };
  const view = metricsOf(
    counted(
      'r',
      of(
        'r',
        started('r'),
        entered('plan'),
        turn('t1', 'coder'),
        { kind: 'activity.noted', task: 't1', items: [{ ...item, status: 'running' }] },
        {
          kind: 'activity.noted',
          task: 't1',
          items: [
            { ...item, status: 'ok' },
            { id: 'm', kind: 'minion', name: 'x', status: 'ok' },
          ],
        },
        answered('t1', 'coder', [], null),
        answered('t1', 'coder'),
        ended('t1'),
        settled('partial'),
      ),
    ),
  );
  expect(view).toMatchObject({
    minions: 1,
    costUsd: null,
    knownCostUsd: 0.5,
    tools: [{ tool: 'Read', agent: 'coder', calls: 1, ok: 1, durationMs: { total: 1000 } }],
    agents: [{ costUsd: null, knownCostUsd: 0.5 }],
    successRate: 0,
    errorRate: 0,
  });
});

import { expect, test } from 'vitest';
import type { Fact } from '../../src/core/record/fact.ts';
import type { CallAnswered } from '../../src/core/record/call-fact.ts';
import { runId, taskId } from '../../src/core/model/ids.ts';
import { NO_USAGE } from '../../src/core/model/usage.ts';
import { emptyTree, takeLines, type RunTree } from '../model/run-tree.ts';
import { aligned, runFigures } from './run-figures.ts';
import { startedRun } from '../../src/core/testing/started-run.ts';

type Facts = readonly (readonly [number, Fact])[];

const linesOf = (run: string, facts: Facts) =>
  [[0, startedRun(run)] as const, ...facts].map(([at, fact], index) => ({
    run,
    record: { seq: index + 1, at, fact, commit: at + 1 },
  }));

const stateOf = (...facts: Facts): RunTree => takeLines(emptyTree('r'), linesOf('r', facts)).tree;

const enter = (state: string, from: string | null, visit = 1): Fact => ({
  kind: 'state.entered',
  state,
  visit,
  from: from === null ? null : { state: from, outcome: 'ok', transition: 0 },
  patch: null,
});

const turn = (task: string, state: string): Fact => ({
  kind: 'task.started',
  task: taskId(task),
  state,
  pool: null,
  unit: null,
  work: { kind: 'turn', agent: 'a', context: 'c', input: null },
  deadline: null,
});

const answered = (task: string, tokens: number): CallAnswered => ({
  kind: 'call.answered',
  task: taskId(task),
  call: 1,
  attempt: 1,
  message: { role: 'assistant', content: 'x', author: 'a' },
  usage: { ...NO_USAGE, inputTokens: tokens, calls: 1 },
  costUsd: 0.5,
  model: 'm',
  ms: 1,
});

test('[U2] time, visits and tokens of a state are summed over its visits', () => {
  const run = stateOf(
    [10, enter('code', null)],
    [11, turn('t1', 'code')],
    [20, answered('t1', 100)],
    [30, enter('review', 'code')],
    [50, enter('code', 'review', 2)],
    [60, enter('review', 'code', 2)],
  );
  expect(runFigures(run)).toEqual([
    { state: 'code', visits: 2, ms: 30, tokens: 100, costUsd: 0.5, outcome: 'ok' },
    { state: 'review', visits: 2, ms: 20, tokens: 0, costUsd: 0, outcome: 'ok' },
  ]);
});

test('[U2] two runs are laid side by side by the names of their states', () => {
  const one = runFigures(stateOf([1, enter('code', null)], [2, enter('done', 'code')]));
  const two = runFigures(stateOf([1, enter('plan', null)], [2, enter('code', 'plan')]));
  expect(aligned(one, two).map(({ state, a, b }) => [state, a !== null, b !== null])).toEqual([
    ['code', true, true],
    ['done', true, false],
    ['plan', false, true],
  ]);
});

test('[R4] what failed and what runs below used counts too; what came before a fork was paid elsewhere', () => {
  const spent = { usage: { ...NO_USAGE, inputTokens: 7 }, costUsd: 0.25 };
  const failure = { code: 'RATE_LIMITED', message: 'Slow down.', class: 'rate' } as const;
  const after: Facts = [
    [12, { kind: 'call.failed', task: taskId('t1'), call: 1, attempt: 1, failure, retryAt: 13, spent }],
  ];
  const before = [[10, enter('code', null)] as const, [11, turn('t1', 'code')] as const];
  const below = [
    [12, enter('look', null)] as const,
    [13, turn('t1', 'look')] as const,
    [14, answered('t1', 7)] as const,
  ];
  const fork: Fact = { kind: 'run.forked', from: { run: runId('p'), seq: 4 }, input: {}, by: 'ada' };
  const figures = (facts: Facts) =>
    runFigures(takeLines(stateOf(...facts), linesOf('r/t1-1.0', below)).tree).map(({ state, tokens, costUsd }) => [
      state,
      tokens,
      costUsd,
    ]);
  expect(figures([...before, ...after])).toEqual([['code', 14, 0.75]]);
  expect(figures([...before, [11, answered('t1', 100)], [11, fork], ...after])).toEqual([['code', 14, 0.75]]);
});

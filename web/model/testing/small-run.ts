import type { Fact } from '../../../src/core/record/fact.ts';
import type { StoredRecord } from '../../../src/core/record/stored-record.ts';
import { emptyTree, takeLines, type RunNode, type RunTree } from '../run-tree.ts';
import { startedRun } from '../../../src/core/testing/started-run.ts';

/** A run of given facts, one a second. */
export function smallTree(...facts: readonly object[]): RunTree {
  const records = [STARTED, ...facts].map((fact, index): StoredRecord => ({
    seq: index + 1,
    at: (index + 1) * 1000,
    fact: fact as Fact,
    commit: index + 1,
  }));
  return takeLines(
    emptyTree('r'),
    records.map((record) => ({ run: 'r', record })),
  ).tree;
}

export function smallRun(...facts: readonly object[]): RunNode {
  const run = smallTree(...facts).runs.get('r');
  if (run === undefined) throw new Error('There is no run.');
  return run;
}

const STARTED = startedRun('r', { contexts: [{ name: 'c', messages: [], maxLength: 1000 }] });

export const entered = (state: string, visit: number, from: object | null = null): object => ({
  kind: 'state.entered',
  state,
  visit,
  from,
  patch: null,
});

export const by = (state: string, outcome = 'ok', transition = 0): object => ({ state, outcome, transition });

export const turn = (task: string, state: string, more: object = {}): object => ({
  kind: 'task.started',
  task,
  state,
  pool: null,
  unit: null,
  work: { kind: 'turn', agent: 'ada', context: 'c', input: 'do it' },
  deadline: null,
  ...more,
});

export const answered = (task: string, more: object = {}): object => ({
  kind: 'call.answered',
  task,
  call: 1,
  attempt: 1,
  message: { author: 'ada', role: 'assistant', content: 'Hi.' },
  usage: { inputTokens: 10, outputTokens: 2, cacheReadTokens: 0, cacheWriteTokens: 0, calls: 1 },
  costUsd: 1,
  model: 'smart',
  ms: 1,
  ...more,
});

export const BROKEN = { code: 'BROKEN', message: 'It broke.', class: 'logic' };
